import { reject, report } from "./issues.js";
import { isObject } from "./tests.js";
import type { FormatName, FormatTest, Trace } from "./validator.js";

/**
 * Returns the test for a format by its name in type descriptions (`uri`, `exactly-one:text,blob`); undefined for an
 * unknown name.
 */
export function formatTest(format: string): FormatTest | undefined {
  const [name = "", members = ""] = format.split(":");
  if (name === "exactly-one") return (value, trace) => hasOne(value, members.split(","), trace);
  return Object.hasOwn(FORMATS, name) ? FORMATS[name as FormatName] : undefined;
}

/** True for base64 with padding and without line breaks (RFC 4648, section 4). Does not decode the text. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const end = text.search(/[^A-Za-z0-9+/]/);
  return end < 0 || (end >= text.length - 2 && /^={1,2}$/.test(text.slice(end)));
}

/** True for a MIME type, with or without parameters (RFC 6838, RFC 2045). */
export function isMediaType(text: string): boolean {
  return text.length <= MAX_MEDIA_TYPE && MEDIA_TYPE.test(text);
}

/** True for a `_meta` key: a name with an optional prefix of labels (MCP: `_meta`). */
export function isMetaKey(key: string): boolean {
  return key !== "" && key.length <= MAX_META_KEY && META_KEY.test(key);
}

/**
 * True for a `_meta` key whose prefix is reserved for the protocol. Such a prefix is recognized by its second label
 * (MCP: `_meta`).
 */
export function isReservedMetaKey(key: string): boolean {
  return /^[^./]+\.(?:modelcontextprotocol|mcp)(?:\.[^/]*)?\//i.test(key);
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

/** True if a value has exactly one of these members, or is not an object. Otherwise adds an issue to the trace. */
export function hasOne(value: unknown, names: readonly string[], trace?: Trace): boolean {
  if (!isObject(value) || names.filter((name) => value[name] !== undefined).length === 1)
    return true;
  return trace ? reject(trace, `object with just one of ${names.join(", ")}`, value) : false;
}

/**
 * The formats of the `_meta` members that carry trace context, each with its name, description and test (W3C Trace
 * Context, W3C Baggage).
 */
const MEMBERS: readonly (readonly [string, string, (value: string) => boolean])[] = [
  ["traceparent", "traceparent of W3C Trace Context", isTraceParent],
  ["tracestate", "tracestate of W3C Trace Context", isTraceState],
  ["baggage", "baggage of W3C Baggage", isBaggage],
];

export const TRACE_MEMBERS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ MEMBERS.map(([name]) => name),
);

const MAX_TEXT = 8192;

/**
 * True if each `_meta` member that carries trace context is either absent, or well-formed and not too long. Otherwise,
 * issues are added to `trace` if it is passed.
 */
export function hasTraceContext(meta: unknown, trace?: Trace): boolean {
  if (!isObject(meta)) return true;
  let passes = true;
  for (const [name, expected, has] of MEMBERS) {
    const value = meta[name];
    if (value === undefined) continue;
    if (typeof value === "string" && value.length <= MAX_TEXT && has(value)) continue;
    passes = false;
    if (trace === undefined) break;
    report(trace, meta, name, expected);
  }
  return passes;
}

/**
 * True for a valid `traceparent`, which has a version, trace, parent and flags. Later versions may have more fields.
 */
function isTraceParent(value: string): boolean {
  const match = /^([\da-f]{2})-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/.exec(
    value,
  );
  return match !== null && match[1] !== "ff" && (match[1] !== "00" || match[2] === undefined);
}

function isTraceState(value: string): boolean {
  const members = value.split(",").map((member) => member.trim());
  return members.every((member) => member === "" || TRACE_STATE.test(member));
}

function isBaggage(value: string): boolean {
  return value.split(",").every((member) => {
    const [pair = "", ...properties] = member.split(";").map((part) => part.trim());
    return PAIR.test(pair) && properties.every((one) => TOKEN.test(one) || PAIR.test(one));
  });
}

const TRACE_STATE =
  /^(?:[a-z][\w*/-]{0,255}|[a-z\d][\w*/-]{0,240}@[a-z][\w*/-]{0,13})=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const PAIR = /^[\w!#$%&'*+.^`|~-]+[ \t]*=[ \t]*[!#-+\--:<-[\]-~]*$/;

/**
 * True if each tool use in a conversation has its result in the next message, which must be a user message that
 * contains only results (MCP: sampling, tool results). Adds issues to the trace.
 */
export function hasToolTurns(messages: unknown, trace: Trace = []): boolean {
  if (!Array.isArray(messages)) return true;
  const before = trace.length;
  messages.forEach((message, index) => {
    const expected = problemOf(message, messages[index + 1]);
    if (expected !== undefined) report(trace, messages, index, expected);
  });
  return trace.length === before;
}

/** Describes the message that is required instead; undefined if these two messages are valid. */
function problemOf(message: unknown, next: unknown): string | undefined {
  const blocks = blocksOf(message);
  const role = isObject(message) ? message["role"] : undefined;
  if (role === "user" && blocks.some(isResult) && !blocks.every(isResult)) {
    return "message with tool results and nothing else";
  }
  const used = blocks.filter(isUse).map(({ id }) => id);
  if (role !== "assistant" || used.length === 0) return undefined;
  const isAnswer = isObject(next) && next["role"] === "user";
  const results = isAnswer ? blocksOf(next).filter(isResult) : [];
  const answered = new Set(results.map(({ toolUseId }) => toolUseId));
  if (used.every((id) => answered.has(id))) return undefined;
  return "message followed by a user message with the results of all its tool uses";
}

type Block = Record<string, unknown>;

function blocksOf(message: unknown): Block[] {
  const content = isObject(message) ? message["content"] : undefined;
  return (Array.isArray(content) ? content : [content]).filter((block) => isObject(block));
}

function isUse({ type }: Block): boolean {
  return type === "tool_use";
}

function isResult({ type }: Block): boolean {
  return type === "tool_result";
}

/** Matches text that a URI cannot contain: a character that RFC 3986 does not allow, or a `%` that encodes nothing. */
const NOT_URI = /[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![\dA-F]{2})/i;

/** Matches text that a literal in a template cannot contain (RFC 6570). Non-ASCII characters are allowed. */
// oxlint-disable-next-line no-control-regex
const NOT_LITERAL = /[\0- "<>\\^`{|}\x7f]|%(?![\dA-F]{2})/i;

// oxlint-disable-next-line no-control-regex
const NOT_ASCII = /[^\0-\x7f]+/gu;

const EXPRESSION =
  /^[+#./;?&]?(?:[\w.]|%[\dA-F]{2})+(?:\*|:\d{1,4})?(?:,(?:[\w.]|%[\dA-F]{2})+(?:\*|:\d{1,4})?)*$/i;

const MAX_EXPRESSION = 1000;

/** True for an absolute URI whose non-ASCII characters are percent-encoded (RFC 3986). */
export function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(text) && !NOT_URI.test(text);
}

/**
 * Converts a URI to ASCII by percent-encoding all other characters. Returns undefined if the text has characters that a
 * URI cannot contain, or a `%` that encodes nothing.
 */
export function toAscii(uri: string): string | undefined {
  try {
    const text = uri.replace(NOT_ASCII, encodeURIComponent);
    return NOT_LITERAL.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * True for a `file:` URI with an authority, which may be empty, and a path that does not lead
 * upwards.
 */
export function isFileUri(text: string): boolean {
  return text.startsWith("file://") && isUri(text) && URL.canParse(text) && !leadsUpwards(text);
}

/** True for an `http:` or `https:` URL, which a browser opens without running code. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

/** True for an icon URI that is safe to load: an `http:` or `https:` URL, or an image in a `data:` URI. */
export function isIconUri(text: string): boolean {
  return isWebUrl(text) || (/^data:image\//i.test(text) && isUri(text));
}

/** True for a URI template (RFC 6570). Every URI is also a template. */
export function isUriTemplate(text: string): boolean {
  return text
    .split(/\{([^{}]*)\}/)
    .every((part, index) =>
      index % 2 === 0
        ? !NOT_LITERAL.test(part)
        : part.length <= MAX_EXPRESSION && EXPRESSION.test(part),
    );
}

/** True if a URI or path has a `..` segment, encoded or not, delimited by slashes of any kind. */
export function leadsUpwards(text: string): boolean {
  return /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\?#]|%2f|%5c|$)/i.test(text);
}

export const FORMATS: Readonly<Record<FormatName, FormatTest>> = {
  byte: /* @__PURE__ */ ofText("base64 with padding (RFC 4648, section 4)", isBase64),
  uri: /* @__PURE__ */ ofText("absolute URI, percent-encoded where due (RFC 3986)", isUri),
  "uri-template": /* @__PURE__ */ ofText("URI or URI template (RFC 6570)", isUriTemplate),
  "file-uri": /* @__PURE__ */ ofText("file:// URI without .. segments", isFileUri),
  "web-url": /* @__PURE__ */ ofText("http: or https: URL", isWebUrl),
  icon: /* @__PURE__ */ ofText("http: or https: URL, or data: URI of an image", isIconUri),
  "media-type": /* @__PURE__ */ ofText("MIME type such as image/png", isMediaType),
  meta: hasMetaKeys,
  trace: hasTraceContext,
  "tool-turns": hasToolTurns,
};
