import {
  formatIssues,
  META,
  type Method,
  type RequestId,
  type Revision,
} from "@mcp-codegen/runtime";
import type { Scope } from "./scope.js";
import { below, isMembers, member } from "../tape/json-value.js";
import { issuesOf, type ValueIssue, withValues } from "./values.js";
import { revisions } from "@mcp-codegen/universal/revisions";

export interface RequestParts {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

export interface NotificationParts {
  readonly method: string;
  readonly params?: unknown;
}

export function isAllowed(
  scope: Scope,
  row: Method | undefined,
  { method }: { readonly method: string },
  form: Method["kind"],
): boolean {
  const { from, revision } = scope;
  if (row === undefined) {
    const isInvited = form === "request" && from === "server" && !allowsServerRequests(revision);
    if (isInvited) {
      scope.report("message-direction", "", "no request from a server", method);
      return false;
    }
    const isDefined = revisions.some(({ methods }) => methods.has(method));
    const meant = isDefined ? undefined : spellings(revision).get(spelling(method));
    if ((!isDefined && meant === undefined) || hasExtensions(scope)) return true;
    scope.report("method-unknown", "/method", meant ?? `a method of ${revision.id}`, method);
    return false;
  }
  if (row.kind !== form) {
    scope.report(
      "message-envelope",
      "/id",
      row.kind === "request" ? "string or integer" : "nothing",
      form === "request",
    );
    return false;
  }
  if (row.channel === "embedded") {
    scope.report("message-direction", "", `${method} inside of a result`, method);
    return false;
  }
  if (row.from !== "both" && row.from !== from) {
    scope.report("message-direction", "/method", `a message of the ${from}`, method);
    return false;
  }
  return true;
}

/**
 * Normalizes a method name so that common misspellings compare equal. It ignores case, separators, plurals, and s
 * versus z.
 */
function spelling(method: string): string {
  return method.toLowerCase().replace(/[^a-rt-y]/g, "");
}

function spellings({ methods }: Revision): ReadonlyMap<string, string> {
  return new Map([...methods.keys()].map((method) => [spelling(method), method]));
}

export function allowsServerRequests({ traits }: Revision): boolean {
  return traits.serverRequests === "wire";
}

/** True if a side, or the message itself, has declared an extension, which may define further methods. */
export function hasExtensions({ conversation, line }: Scope): boolean {
  const { client, server } = conversation.capabilities;
  const params = member(line.message, "params");
  const own = member(member(params, "_meta"), META.clientCapabilities);
  return [client, server, own].some((one) => {
    const extensions = member(one, "extensions");
    return isMembers(extensions) && Object.keys(extensions).length > 0;
  });
}

export function areParamsValid(scope: Scope, row: Method | undefined, params: unknown): boolean {
  const { revision } = scope;
  if (row === undefined) {
    if (params === undefined || isMembers(params)) return true;
    scope.report("params-shape", "/params", "object", params);
    return false;
  }
  const validator = row.params;
  if (params === undefined && (validator === undefined || row.paramsOptional)) return true;
  if (validator === undefined) return true;
  const declared = issuesOf(validator, params);
  const issues = declared.length > 0 ? declared : metaIssuesOf(params);
  const needsMeta = revision.traits.requestMeta === "required" && row.kind === "request";
  for (const { path, expected, value } of issues) {
    const isMeta =
      needsMeta && (path === "" || /^\/_meta(?:$|\/)/.test(path)) && value === undefined;
    scope.report(isMeta ? "request-meta" : "params-shape", `/params${path}`, expected, value);
  }
  if (issues.length === 0) reportContent(scope, "/params", formatsOf(validator, params));
  return issues.length === 0;
}

/** Returns the issues in `_meta`. Older schemas do not state its type for requests that have their own parameters. */
function metaIssuesOf(params: unknown): readonly ValueIssue[] {
  const meta = member(params, "_meta");
  if (meta === undefined) return [];
  if (!isMembers(meta)) return [{ path: "/_meta", expected: "object", value: meta }];
  const { progressToken: value } = meta;
  const isToken = value === undefined || typeof value === "string" || Number.isInteger(value);
  if (isToken) return [];
  return [{ path: "/_meta/progressToken", expected: "string or integer", value }];
}

export function formatsOf(
  validator: NonNullable<Method["params"]>,
  value: unknown,
): readonly ValueIssue[] {
  return withValues(formatIssues(validator, value), value);
}

export function reportContent(scope: Scope, pointer: string, issues: readonly ValueIssue[]): void {
  for (const { path, expected, value } of issues) {
    const isUri = /\bUR[IL]\b/.test(expected);
    const check = expected.startsWith("file://") ? "root-uri" : "uri-format";
    scope.report(isUri ? check : "content-format", `${pointer}${path}`, expected, value);
  }
}

const DATES = ["lastModified", "createdAt", "lastUpdatedAt"];
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/** Checks dates and icon sizes, down to a limited depth. The value must already have the correct type. */
export function judgeDates(scope: Scope, value: unknown, pointer: string, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > DEEPEST_DATE) return;
  for (const [name, inner] of Object.entries(value)) {
    if (FREE.has(name)) continue;
    if (name === "icons") {
      judgeSizes(scope, inner, below(pointer, name));
      continue;
    }
    const isDate = typeof inner === "string" && DATES.includes(name);
    if (isDate && !(ISO.test(inner) && !Number.isNaN(Date.parse(inner)))) {
      scope.report("content-format", below(pointer, name), "date of ISO 8601", inner);
    } else if (typeof inner === "object") {
      judgeDates(scope, inner, below(pointer, name), depth + 1);
    }
  }
}

function judgeSizes(scope: Scope, icons: unknown, pointer: string): void {
  if (!Array.isArray(icons)) return;
  icons.forEach((icon, index) => {
    const sizes = member(icon, "sizes");
    if (!Array.isArray(sizes)) return;
    const wrong = sizes.findIndex((size) => !/^(?:\d+x\d+|any)$/i.test(String(size)));
    if (wrong < 0) return;
    const place = `${pointer}/${index}/sizes/${wrong}`;
    scope.report("content-format", place, 'a size such as "48x48", or "any"', sizes[wrong]);
  });
}

const DEEPEST_DATE = 5;
/** The members with arbitrary content, which may itself have members with the same names. */
export const FREE: ReadonlySet<string> = new Set([
  "inputSchema",
  "outputSchema",
  "structuredContent",
  "_meta",
  "data",
]);
