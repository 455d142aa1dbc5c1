import type { MethodFamily } from "@mcp-codegen/runtime";
import type { AskingContext } from "@mcp-codegen/universal/server";
import { isRecord } from "./callers.js";
import type { Conversation } from "./conversation.js";
import type { HeldCall } from "./held-calls.js";

type Definition = Readonly<Record<string, unknown>>;

const MOST_PAGES = 100;

const MOST_TOOLS = 20_000;

/** The maximum number of times that tools are listed for one call. The list may change in the meantime. */
const MOST_LISTINGS = 3;

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
 * Returns a tool's definition as the server lists it in the call's conversation. Returns undefined if the tool is not
 * listed or the list keeps changing.
 *
 * @param needed - returns the part of a definition to remember
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
