import {
  type FamilyKind,
  META,
  type Method,
  type MethodFamily,
  type Revision,
} from "@mcp-codegen/runtime";
import { NOTHING } from "../conversation.js";
import { DOCTOR_INFO } from "../outgoing.js";
import { isMembers, member, type Members } from "../../tape/json-value.js";

const TOOLS: readonly Members[] = [
  {
    name: "echo",
    description: "Returns its text",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", default: "Grüße %", "x-mcp-header": "Text" },
        how: {
          type: "object",
          properties: {
            times: { type: "integer", "x-mcp-header": "Times" },
            loud: { type: "boolean", "x-mcp-header": "Loud" },
          },
          default: { times: 2, loud: false },
        },
        absent: { type: "string", "x-mcp-header": "Absent" },
      },
      required: ["text"],
    },
    "x-unknown": true,
  },
  { name: "second", description: "Is on the second page", inputSchema: { type: "object" } },
  ...[
    { type: "object", "x-mcp-header": "Text" },
    { type: "number", "x-mcp-header": "Text" },
    { type: "string", "x-mcp-header": "Some text" },
    { type: "string", "x-mcp-header": "" },
    { type: "array", items: { type: "string", "x-mcp-header": "Text" } },
    { anyOf: [{ type: "string", "x-mcp-header": "Text" }] },
  ].map((text, index) => ({
    name: `annotated-${index + 1}`,
    description: "Has an annotation that is invalid, so that no client may call it over HTTP",
    inputSchema: { type: "object", properties: { text } },
  })),
  {
    name: "annotated-twice",
    description: "Has two annotations with one name",
    inputSchema: {
      type: "object",
      properties: {
        one: { type: "string", "x-mcp-header": "Text" },
        two: { type: "string", "x-mcp-header": "TEXT" },
      },
    },
  },
  {
    name: "encoded",
    description: "Has arguments that a header carries in Base64 only",
    inputSchema: {
      type: "object",
      properties: {
        padded: { type: "string", default: " padded ", "x-mcp-header": "Padded" },
        marked: { type: "string", default: "=?base64?SGk=?=", "x-mcp-header": "Marked" },
        lines: { type: "string", default: "one\ntwo", "x-mcp-header": "Lines" },
      },
      required: ["padded", "marked", "lines"],
    },
  },
];

export function isFirstTool({ name }: Members): boolean {
  return name === TOOLS[0]!["name"];
}

/** Returns which of the tools that require input more than once a call is for. */
export function toolOf(params: Members): "first" | "second" | undefined {
  if (isFirstTool(params)) return "first";
  return params["name"] === TOOLS[1]!["name"] ? "second" : undefined;
}

/** The tools of {@link TOOLS}, with another header name for an annotated argument. */
const OTHER_TOOLS: readonly Members[] = TOOLS.map(
  (tool) =>
    JSON.parse(
      JSON.stringify(tool).replace(/"x-mcp-header":"Text"/, '"x-mcp-header":"Words"'),
    ) as Members,
);

const ITEMS: Readonly<Record<FamilyKind, readonly Members[]>> = {
  tool: TOOLS,
  prompt: [
    { name: "grüßen", description: "Greets", arguments: [{ name: "name", required: true }] },
    { name: "part", description: "Says goodbye" },
  ],
  resource: [
    { uri: "doctor://one", name: "one" },
    { uri: "doctor://two", name: "two" },
  ],
  template: [
    { uriTemplate: "doctor://{name}", name: "any" },
    { uriTemplate: "doctor://other/{name}", name: "other" },
  ],
  other: [],
};

const text = (words: string): Members => ({ type: "text", text: words });

export const USES: Readonly<Record<FamilyKind, (params: Members) => Members>> = {
  tool: ({ arguments: given }) => ({
    content: [text(isMembers(given) ? String(given["text"] ?? "") : "")],
  }),
  prompt: () => ({ messages: [{ role: "user", content: text("Hello") }] }),
  resource: ({ uri }) => ({ contents: [{ uri, text: "one" }] }),
  template: () => ({}),
  other: () => ({}),
};

const CURSOR = "page 2/ä=";

/** A page of tools with a `resultType` that does not exist. */
export const pageOfUnknownType: Members = {
  resultType: NOTHING,
  tools: [{ name: NOTHING, inputSchema: { type: "object" } }],
  nextCursor: NOTHING,
};

/**
 * Returns one page of a list. The last page has all remaining items, and each other page has one. There are at most two
 * pages, or three if `isLong` is true; the third page's cursor is `""`.
 *
 * @param more - items that follow on the last page
 */
export function pageOf(
  family: MethodFamily,
  { cursor }: Members,
  {
    isLong,
    isOther,
    more,
  }: { readonly isLong: boolean; readonly isOther: boolean; readonly more: readonly Members[] },
): Members {
  const { kind } = family;
  const items = isOther && kind === "tool" ? OTHER_TOOLS : ITEMS[kind];
  const cursors = isLong ? [undefined, CURSOR, ""] : [undefined, CURSOR];
  const place = cursors.indexOf(cursor as string | undefined);
  // If the client has changed the cursor, it gets the last page.
  const index = place < 0 ? cursors.length - 1 : place;
  const isLast = index + 1 >= Math.min(items.length, cursors.length);
  const page = items.slice(index, isLast ? undefined : index + 1);
  return {
    [family.name]: isLast ? [...page, ...more] : page,
    ...(!isLast && { nextCursor: cursors[index + 1] }),
  };
}

export function capabilitiesOf({ families, methods }: Revision): Members {
  const lists = families.flatMap((family) => {
    const [owner, name] = family.capability?.split(".") ?? [];
    if (owner !== "server" || name === undefined) return [];
    return [[name, family.kind === "tool" ? { listChanged: true } : {}] as const];
  });
  const completes = methods.get("completion/complete")?.capability !== undefined;
  return {
    ...Object.fromEntries(lists),
    ...(methods.has("logging/setLevel") && { logging: {} }),
    ...(completes && { completions: {} }),
    experimental: { [NOTHING]: {} },
    "x-unknown": {},
  };
}

/** Adds the members that every stateless result has. */
export function enveloped(row: Method | undefined, result: Members, hasType: boolean): Members {
  const isFinal = result["resultType"] === undefined;
  return {
    ...(hasType && { resultType: "complete" }),
    ...(row?.cacheable && isFinal && { ttlMs: 0, cacheScope: "private" }),
    ...result,
    _meta: { [META.serverInfo]: DOCTOR_INFO },
  };
}

export function statusOf({ errorCodes, conventions }: Revision, { error }: Members): number {
  const code = member(error, "code");
  const [name] = Object.entries(errorCodes).find(([, one]) => one === code) ?? [];
  return (name === undefined ? undefined : conventions.errorStatuses[name]) ?? 200;
}
