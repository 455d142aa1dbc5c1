import { reject, report } from "./issues.js";
import { hasToolTurns } from "./tool-turns.js";
import { hasTraceContext } from "./trace-context.js";
import { isFileUri, isIconUri, isUri, isUriTemplate, isWebUrl } from "./uri.js";
import { isObject } from "./validate.js";
import type { Trace } from "./validation.js";

/**
 * Test of what the structure of a value does not show; true for a value that it says nothing about. Adds its issues to
 * the trace. Takes time linear in the length of the value.
 */
export type FormatTest = (value: unknown, trace?: Trace) => boolean;

/** Names of the formats that {@link formatTest} knows. */
export const formatNames: readonly string[] = [
  "byte",
  "uri",
  "uri-template",
  "file-uri",
  "web-url",
  "icon",
  "media-type",
  "meta",
  "trace",
  "tool-turns",
  "exactly-one",
];

/** The test of a format, by its name in the descriptions of types: `uri`, `exactly-one:text,blob`. */
export function formatTest(format: string): FormatTest | undefined {
  const [name, members = ""] = format.split(":");
  switch (name) {
    case "byte":
      return ofText("base64 with padding (RFC 4648, section 4)", isBase64);
    case "uri":
      return ofText("absolute URI, percent-encoded where due (RFC 3986)", isUri);
    case "uri-template":
      return ofText("URI or URI template (RFC 6570)", isUriTemplate);
    case "file-uri":
      return ofText("file:// URI without .. segments", isFileUri);
    case "web-url":
      return ofText("http: or https: URL", isWebUrl);
    case "icon":
      return ofText("http: or https: URL, or data: URI of an image", isIconUri);
    case "media-type":
      return ofText("MIME type such as image/png", isMediaType);
    case "meta":
      return hasMetaKeys;
    case "trace":
      return hasTraceContext;
    case "tool-turns":
      return hasToolTurns;
    case "exactly-one":
      return exactlyOne(members.split(","));
    default:
      return undefined;
  }
}

/** True for base64 with padding and without line breaks (RFC 4648, section 4). Decodes nothing. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const end = text.search(/[^A-Za-z0-9+/]/);
  return end < 0 || (end >= text.length - 2 && /^={1,2}$/.test(text.slice(end)));
}

/** True for a MIME type, with or without parameters (RFC 6838, RFC 2045). */
export function isMediaType(text: string): boolean {
  return text.length <= MAX_MEDIA_TYPE && MEDIA_TYPE.test(text);
}

/** True for a key of `_meta`: a name with an optional prefix of labels (MCP: `_meta`). */
export function isMetaKey(key: string): boolean {
  return key !== "" && key.length <= MAX_META_KEY && META_KEY.test(key);
}

const MAX_MEDIA_TYPE = 1000;
const MAX_META_KEY = 1000;

const MEDIA_TYPE =
  /^[a-z\d][\w!#$&^.+-]*\/[a-z\d][\w!#$&^.+-]*(?:[ \t]*;[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))*$/i;

const META_KEY =
  /^(?:[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/)?(?:[a-z\d](?:[\w.-]*[a-z\d])?)?$/i;

function ofText(expected: string, has: (text: string) => boolean): FormatTest {
  return (value, trace) =>
    typeof value !== "string" || has(value) || (trace ? reject(trace, expected, value) : false);
}

function hasMetaKeys(value: unknown, trace?: Trace): boolean {
  if (!isObject(value)) return true;
  let passes = true;
  for (const key of Object.keys(value)) {
    if (isMetaKey(key) || value[key] === undefined) continue;
    passes = false;
    if (!trace || !report(trace, value, key, "key such as name or com.example/name")) break;
  }
  return passes;
}

function exactlyOne(names: readonly string[]): FormatTest {
  return (value, trace) => {
    if (!isObject(value)) return true;
    const found = names.filter((name) => value[name] !== undefined);
    if (found.length === 1) return true;
    return trace ? reject(trace, `object with just one of ${names.join(", ")}`, value) : false;
  };
}
