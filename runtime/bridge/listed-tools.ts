import type { MethodFamily } from "@mcp-codegen/runtime";
import type { AskingContext } from "@mcp-codegen/universal/server";
import { isRecord } from "./callers.js";
import type { Conversation } from "./conversation.js";
import type { HeldCall } from "./held-calls.js";

type Definition = Readonly<Record<string, unknown>>;

/** Maximum number of pages of one list that are read. */
const MOST_PAGES = 100;

/** Maximum number of tools of one server that are remembered. */
const MOST_TOOLS = 20_000;

/** Maximum number of times that tools are listed for one call. They are listed again if the list changes meanwhile. */
const MOST_LISTINGS = 3;

/** Returns the items of all pages of a list, up to {@link MOST_PAGES} pages. */
export async function itemsOf(
  { name }: MethodFamily,
  read: (params: Definition) => Promise<unknown>,
): Promise<readonly Definition[]> {
  const all: Definition[] = [];
  let params: Definition = {};
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const result = await read(params);
    const { [name]: items, nextCursor: cursor } = isRecord(result) ? result : {};
    if (Array.isArray(items)) all.push(...items.filter(isRecord));
    if (cursor === undefined) break;
    params = { cursor };
  }
  return all;
}

/**
 * Returns the definition of a tool in the conversation that is used for a call; undefined if the server does not list
 * the tool, or if its list keeps changing.
 * @param needed - returns the part of a definition that is remembered
 */
export async function definitionOf(
  name: string,
  family: MethodFamily,
  needed: (definition: Definition) => Definition,
  conversation: Conversation,
  call: HeldCall,
  ctx: AskingContext,
): Promise<Definition | undefined> {
  for (let attempt = 0; attempt < MOST_LISTINGS; attempt += 1) {
    if (performance.now() >= conversation.tools.until) conversation.tools = { until: Infinity };
    const { tools } = conversation;
    if (tools.byName === undefined) {
      const items = await itemsOf(family, async (page) => {
        const result = await conversation.send(family.list, page, call, ctx);
        const { ttlMs } = result;
        const mayExpire = typeof ttlMs === "number" && !conversation.offers("tools.listChanged");
        if (mayExpire) tools.until = Math.min(tools.until, performance.now() + ttlMs);
        return result;
      });
      const known = items.slice(0, MOST_TOOLS);
      tools.byName = new Map(known.map((one) => [String(one["name"]), needed(one)]));
    }
    if (tools === conversation.tools) return tools.byName.get(name);
  }
  return undefined;
}
