/** Definition of a tool, prompt, resource or template, as a server gives it. */
export type ContractDefinition = Readonly<Record<string, unknown>>;

export interface ContractEntry {
  readonly definition: ContractDefinition;
}

/** Contract of one server: a member of `servers` in `mcp.lock.json`, or the `contract` of a generated module. */
export interface ServerContract {
  /** Instructions of the server; absent where it gives none. */
  readonly instructions?: string;
  readonly tools: readonly ContractEntry[];
  readonly prompts: readonly ContractEntry[];
  readonly resources: readonly ContractEntry[];
  readonly resourceTemplates: readonly ContractEntry[];
}
