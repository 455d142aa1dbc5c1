/** A client of one server; `await using client = await connect(…)` closes it, where the platform has that. */
export type McpClient<Client> = Client & AsyncDisposal;

/** Compilers that know the symbol see its member. */
type AsyncDisposal = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? { readonly [Member in Name]: () => Promise<void> }
  : unknown;
