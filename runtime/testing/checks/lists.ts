import { paramHeadersOf } from "@mcp-codegen/runtime";
import { jsonSchemas, SchemaError } from "@mcp-codegen/runtime/json-schema";
import { type Paging, remember, type SentRequest } from "./conversation.js";
import { isSecret } from "./elicitation.js";
import type { Scope } from "./scope.js";
import { at, below, isMembers, type Members } from "../tape/json-value.js";

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** The maximum number of cursors and names that are remembered for one list. */
const REMEMBERED = 50_000;

export function judgeCursor(scope: Scope, { method, row, params }: SentRequest): void {
  if (!row?.paginated) return;
  const { paging } = scope.conversation;
  const { cursor } = params;
  if (cursor === undefined) {
    const before = paging.get(method);
    // Cursors from before the restart may still be used.
    paging.set(method, { cursors: before?.cursors ?? new Set(), keys: new Set(), seen: new Set() });
    return;
  }
  const pages = paging.get(method);
  // Over HTTP, a client may continue a list in a different session from the one in which it began.
  const isFirst = pages === undefined && scope.line.http === undefined;
  if (isFirst || pages?.cursors.has(String(cursor)) === false) {
    scope.report(
      "cursor-unknown",
      "/params/cursor",
      "a cursor that the server has returned",
      cursor,
    );
  }
}

export function judgeList(scope: Scope, request: SentRequest, result: Members): void {
  const { method, row, revision, params } = request;
  if (!row?.paginated) return;
  const { paging } = scope.conversation;
  let pages = paging.get(method);
  if (pages === undefined) {
    pages = { cursors: new Set(), keys: new Set(), seen: new Set() };
    remember(paging, method, pages);
  }
  // If the server has not returned a cursor, the page for that cursor is not part of the list.
  if (params.cursor === undefined || pages.cursors.has(String(params.cursor))) {
    judgeNextCursor(scope, pages, params.cursor, result.nextCursor);
    judgeCacheScope(scope, pages, params.cursor, result);
  }
  const family = revision.families.find(({ list }) => list === method);
  const items = family && result[family.name];
  if (family === undefined || !Array.isArray(items)) return;
  // Names are compared only within one pass through the list. The client may read the list twice at the same time, and
  // the server may ignore a cursor that it has not returned.
  if (!pages.cursors.has(String(params.cursor))) pages.keys.clear();
  items.forEach((item: unknown, index) => {
    if (!isMembers(item)) return;
    const pointer = `/result/${family.name}/${index}`;
    const key = String(item[family.key]);
    if (pages.keys.has(key)) {
      scope.report(
        "name-repeated",
        below(pointer, family.key),
        `one ${family.noun} of this ${family.key}`,
        key,
      );
    } else if (pages.keys.size < REMEMBERED) {
      pages.keys.add(key);
    }
    if (typeof item.size === "number" && (item.size < 0 || !Number.isInteger(item.size))) {
      scope.report("content-format", `${pointer}/size`, "number of bytes", item.size);
    }
    if (family.name === "tools") judgeTool(scope, pointer, item);
  });
}

export function judgeCompletions(scope: Scope, { completion }: Members): void {
  const { values, total, hasMore } = isMembers(completion) ? completion : {};
  if (!Array.isArray(values)) return;
  const place = "/result/completion/hasMore";
  const isMore = typeof total === "number" && total > values.length;
  if (isMore && hasMore === false)
    scope.report("completion-more", place, `true, as there are ${total} values`, hasMore);
  if (values.length <= MOST_SUGGESTIONS) return;
  scope.report(
    "completion-count",
    "/result/completion/values",
    `at most ${MOST_SUGGESTIONS} values`,
    values.length,
  );
}

const MOST_SUGGESTIONS = 100;

function judgeNextCursor(scope: Scope, pages: Paging, cursor: unknown, next: unknown): void {
  if (typeof cursor === "string") pages.seen.add(cursor);
  if (typeof next !== "string") return;
  if (cursor !== undefined && pages.seen.has(next)) {
    scope.report("cursor-repeated", "/result/nextCursor", "the cursor of another page", next);
  }
  if (pages.cursors.size < REMEMBERED) pages.cursors.add(next);
}

function judgeCacheScope(
  scope: Scope,
  pages: Paging,
  cursor: unknown,
  { cacheScope }: Members,
): void {
  if (cursor === undefined) pages.cacheScope = cacheScope;
  else if (pages.cacheScope !== undefined && cacheScope !== pages.cacheScope) {
    const expected = `${JSON.stringify(pages.cacheScope)}, as on the first page`;
    scope.report("cache-scope", "/result/cacheScope", expected, cacheScope);
  }
}

function judgeTool(scope: Scope, pointer: string, tool: Members): void {
  const { name, inputSchema, outputSchema, annotations, execution } = tool;
  if (typeof name === "string" && !TOOL_NAME.test(name)) {
    scope.report(
      "tool-name",
      below(pointer, "name"),
      "1 to 128 letters, digits, _, - and dots",
      name,
    );
  }
  judgeSchema(scope, below(pointer, "inputSchema"), inputSchema);
  judgeSchema(scope, below(pointer, "outputSchema"), outputSchema);
  try {
    for (const { path } of paramHeadersOf(inputSchema)) {
      const last = path.at(-1)!;
      if (!isSecret(last) && !PERSONAL.test(last)) continue;
      const place = path.reduce(
        (above, key) => below(`${above}/properties`, key),
        `${pointer}/inputSchema`,
      );
      scope.report("header-secret", place, "no x-mcp-header", last);
    }
  } catch (error) {
    scope.report("header-annotation", below(pointer, "inputSchema"), messageOf(error), inputSchema);
  }
  if (
    isMembers(annotations) &&
    annotations.readOnlyHint === true &&
    annotations.destructiveHint === true
  ) {
    scope.report(
      "annotations-conflict",
      `${pointer}/annotations/destructiveHint`,
      "false, or absent",
      true,
    );
  }
  if (typeof name === "string") {
    remember(scope.conversation.tools, name, { inputSchema, outputSchema, execution });
  }
}

/** Matches names of arguments that contain personal data. */
const PERSONAL =
  /^(?:e-?mail(?:[-_ ]?address)?|phone(?:[-_ ]?number)?|birth[-_ ]?(?:date|day)|token)$/i;

const compile = jsonSchemas({ trust: "own", formats: "annotate" });

function judgeSchema(scope: Scope, pointer: string, schema: unknown): void {
  if (!isMembers(schema)) return;
  try {
    compile(schema);
  } catch (error) {
    const path = error instanceof SchemaError ? error.path : "";
    scope.report("schema-invalid", `${pointer}${path}`, messageOf(error), at(schema, path));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
