import type { MethodFamily } from "@mcp-codegen/runtime";
import { type AskingContext, ToolError } from "@mcp-codegen/universal/server";
import { isRecord } from "./callers.js";
import { itemsOf } from "./listed-tools.js";
import type { Middle, Params } from "./middle.js";

const SEARCH = "search_tools";
const CALL = "call_tool";

const MOST_FOUND = 50;

const TOOLS = [
  {
    name: SEARCH,
    description: `Searches the available tools by words of their names and descriptions. Returns their definitions; call one with ${CALL}.`,
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "Words to search for; empty for any tool" },
        limit: { type: "integer", minimum: 1, maximum: MOST_FOUND, description: "Default: 10" },
      },
      required: ["query"],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: CALL,
    description: `Calls a tool that ${SEARCH} has returned.`,
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "Name of the tool" },
        arguments: {
          type: "object",
          description: "Its arguments, as its inputSchema describes them",
        },
      },
      required: ["name"],
    },
  },
] as const;

/**
 * A catalogue that lists two tools in place of all others: one that finds tools and one that calls them. The called
 * tool's policy also applies to such calls.
 */
export class SearchCatalogue implements Pick<Middle, "list" | "use"> {
  readonly #middle: Pick<Middle, "list" | "use">;

  constructor(middle: Pick<Middle, "list" | "use">) {
    this.#middle = middle;
  }

  async list(
    family: MethodFamily,
    params: Params | undefined,
    ctx: AskingContext,
  ): Promise<unknown> {
    return family.name === "tools" ? { tools: TOOLS } : this.#middle.list(family, params, ctx);
  }

  async use(family: MethodFamily, params: Params, ctx: AskingContext): Promise<unknown> {
    if (family.name !== "tools") return this.#middle.use(family, params, ctx);
    const given = isRecord(params["arguments"]) ? params["arguments"] : {};
    if (params["name"] === SEARCH) return this.#search(family, given, ctx);
    if (params["name"] !== CALL)
      throw new ToolError(`Find tools with ${SEARCH}, and call them with ${CALL}`);
    const { name, arguments: args = {} } = given;
    if (typeof name !== "string") throw new ToolError("name must be the name of a tool");
    return this.#middle.use(family, { ...params, name, arguments: args }, ctx);
  }

  async #search(
    family: MethodFamily,
    { query, limit = 10 }: Params,
    ctx: AskingContext,
  ): Promise<object> {
    if (typeof query !== "string") throw new ToolError("query must be a string");
    const isLimit = Number.isInteger(limit) && Number(limit) > 0 && Number(limit) <= MOST_FOUND;
    if (!isLimit) throw new ToolError(`limit must be a whole number from 1 to ${MOST_FOUND}`);
    const words = query
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "");
    const found = (await itemsOf(family, (page) => this.#middle.list(family, page, ctx)))
      .map((tool) => ({ tool, score: scoreOf(tool, words) }))
      .filter(({ score }) => score > 0 || words.length === 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, Number(limit));
    const text = JSON.stringify(found.map(({ tool }) => tool));
    return { content: [{ type: "text", text }] };
  }
}

function scoreOf({ name, title, description }: Params, words: readonly string[]): number {
  const names = `${String(name)} ${String(title ?? "")}`.toLowerCase();
  const text = String(description ?? "").toLowerCase();
  const scores = words.map(
    (word) => 3 * Number(names.includes(word)) + Number(text.includes(word)),
  );
  return scores.reduce((sum, one) => sum + one, 0);
}
