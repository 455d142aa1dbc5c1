import type { MethodFamily } from "@mcp-codegen/runtime";
import { type ItemKind, kindOf } from "../server/methods.js";
import { isMembers, type Members } from "../../tape/json-value.js";

/** Tools of the server. */
export const TOOLS: readonly Members[] = [
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
  {
    name: "annotated",
    description: "Has an annotation that is invalid, so that no client may call it over HTTP",
    inputSchema: {
      type: "object",
      properties: { text: { type: "object", "x-mcp-header": "Text" } },
    },
  },
];

/** Items of each kind of list. */
const ITEMS: Readonly<Record<ItemKind, readonly Members[]>> = {
  tool: TOOLS,
  prompt: [{ name: "greet", description: "Greets" }],
  resource: [{ uri: "doctor://one", name: "one" }],
  template: [],
  other: [],
};

const text = (words: string): Members => ({ type: "text", text: words });

/** Results of using an item. */
export const USES: Readonly<Record<ItemKind, (params: Members) => Members>> = {
  tool: ({ arguments: given }) => ({
    content: [text(isMembers(given) ? String(given["text"] ?? "") : "")],
  }),
  prompt: () => ({ messages: [{ role: "user", content: text("Hello") }] }),
  resource: ({ uri }) => ({ contents: [{ uri, text: "one" }] }),
  template: () => ({}),
  other: () => ({}),
};

const CURSOR = "page 2/ä=";

/** A list of two pages if it has more than one item, and of three where the cursor "" is not the end. */
export function pageOf(family: MethodFamily, { cursor }: Members, isLong: boolean): Members {
  const items = ITEMS[kindOf(family)];
  const cursors = isLong ? [undefined, CURSOR, ""] : [undefined, CURSOR];
  const place = cursors.indexOf(cursor as string | undefined);
  // A cursor that the client has changed leads to the end.
  const index = place < 0 ? cursors.length - 1 : place;
  const isLast = index + 1 >= Math.min(items.length, cursors.length);
  const page = items.slice(index, isLast ? undefined : index + 1);
  return { [family.name]: page, ...(!isLast && { nextCursor: cursors[index + 1] }) };
}
