import type { Diagnostics } from "../diagnostics.js";
import type { ServerDescription } from "../docs/collect/server.js";
import type { OutputFile } from "../plan/file-plan.js";
import type { Command, Context, Values } from "./command.js";
import { loadPart } from "./load-part.js";

export interface LockedClient {
  /** The server's name in the lock file; undefined if there is no contract. */
  readonly name: string | undefined;
  readonly files: readonly OutputFile[];
}

/** The module `@mcp-codegen/contract/cli`, which implements the contract commands. */
interface ContractPackage {
  run(command: string, values: Values, context: Context): ReturnType<Command["run"]>;
  describeServers(
    files: readonly string[],
    diagnostics: Diagnostics,
  ): Promise<readonly ServerDescription[] | undefined>;
  lockedClient(
    from: string,
    values: Values,
    diagnostics: Diagnostics,
  ): Promise<LockedClient | undefined>;
}

// Declared as `string`, because the package is built after this one and its types do not exist yet.
const SPECIFIER: string = "@mcp-codegen/contract/cli";

export function loadContractPackage(
  diagnostics: Diagnostics,
): Promise<ContractPackage | undefined> {
  return loadPart(() => import(SPECIFIER) as Promise<ContractPackage>, diagnostics);
}

export function runOfContract(name: string): Command["run"] {
  return async (values, context) =>
    (await loadContractPackage(context.diagnostics))?.run(name, values, context);
}
