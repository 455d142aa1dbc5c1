import { isReservedMetaKey, META } from "@mcp-codegen/runtime";
import { AT } from "./check.js";
import type { Scope } from "./scope.js";
import { below, isMembers } from "../tape/json-value.js";
import { FREE, hasExtensions } from "./validity.js";

/** Checks the key prefixes in each `_meta` within a value, to a limited depth. */
export function judgeMetas(scope: Scope, value: unknown, pointer: string, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return;
  for (const [name, inner] of Object.entries(value)) {
    const place = below(pointer, name);
    if (name === "_meta") judgeMeta(scope, inner, place);
    else if (!FREE.has(name)) judgeMetas(scope, inner, place, depth + 1);
  }
}

const DEEPEST = 5;

function judgeMeta(scope: Scope, meta: unknown, pointer: string): void {
  if (!isMembers(meta)) return;
  const { revision } = scope;
  const isNew = AT.icons(revision);
  for (const key of AT.outputSchemas(revision) ? Object.keys(meta) : []) {
    const isReserved = isNew ? isReservedMetaKey(key) : RESERVED_BEFORE.test(key);
    if (isReserved && !DEFINED.has(key) && !hasExtensions(scope)) {
      const expected = "a key that the specification defines, or a prefix of your own";
      scope.report("meta-reserved", below(pointer, key), expected, key);
    } else if (isNew && isForward(key)) {
      scope.report("meta-prefix", below(pointer, key), "a prefix such as com.example/", key);
    }
  }
}

/** Matches the keys that were reserved before reserved prefixes were recognized by their second label. */
const RESERVED_BEFORE = /^(?:[^./]+\.)*(?:modelcontextprotocol|mcp)\.[^./]+\//i;

/** Keys with a reserved prefix that are defined by the specification. */
const DEFINED: ReadonlySet<string> = new Set([
  ...Object.values(META),
  "io.modelcontextprotocol/model-immediate-response",
  "io.modelcontextprotocol/relatedTaskIds",
]);

const TOP = "ai|app|biz|co|com|dev|edu|gov|info|io|net|org";
const FORWARD = new RegExp(`^(?!(?:${TOP})\\.)(?:[\\w-]+\\.)+(?:${TOP})/`, "i");

/** True if the key's prefix is a domain in its usual order, such as `example.com/`. */
function isForward(key: string): boolean {
  return FORWARD.test(key);
}
