import type { NeutralTypes } from "../server/neutral-types.js";
import type { McpClientBase } from "./mcp-client-base.js";

/** A client of one server; `await using client = await connect(…)` closes it, where the platform has that. */
export type McpClient<Types extends NeutralTypes> = McpClientBase<Types> & AsyncDisposal;

/** Compilers that know the symbol see its member. */
type AsyncDisposal = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? { readonly [Member in Name]: () => Promise<void> }
  : unknown;
