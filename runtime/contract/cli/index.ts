import type { Diagnostics } from "mcp-codegen";
import {
  type Context,
  type LockedClient,
  type Outcome,
  type ServerDescription,
  usageError,
  type Values,
} from "mcp-codegen/cli";
import type { ContractKind } from "../emit/emit-contract.js";

/** Runs `lock`, `tools`, `call` or a `contract` command, loading the command's module on demand. */
export async function run(
  command: string,
  values: Values,
  context: Context,
): Promise<Outcome | undefined> {
  switch (command) {
    case "lock":
      return (await import("./run-lock.js")).runLock(values, context);
    case "tools":
      return (await import("./run-tools.js")).runTools(values, context);
    case "call":
      return (await import("./run-tools.js")).runCall(values, context);
    case "contract diff":
      return (await import("./run-diff.js")).runContractDiff(values, context);
    case "contract mock":
      return (await import("./locked-client.js")).runContractMock(values, context);
    case "contract client":
    case "contract server":
    case "contract tree":
    case "contract docs": {
      const { runContractEmit } = await import("./run-emit.js");
      return runContractEmit(command.slice("contract ".length) as ContractKind, values, context);
    }
    default:
      context.diagnostics.add(
        usageError(
          `The installed @mcp-codegen/contract does not have the command ${command}.`,
          "Update it: npm install @mcp-codegen/contract@latest",
        ),
      );
      return undefined;
  }
}

/** Locks the server specified by `new --from` and generates its typed client. */
export async function lockedClient(
  from: string,
  values: Values,
  diagnostics: Diagnostics,
): Promise<LockedClient | undefined> {
  return (await import("./locked-client.js")).lockedClient(from, values, diagnostics);
}

/**
 * Describes a lock file's servers for `docs --lock`. If an older file precedes it, also describes the changes since
 * then.
 */
export async function describeServers(
  files: readonly string[],
  diagnostics: Diagnostics,
): Promise<readonly ServerDescription[] | undefined> {
  return (await import("./describe-servers.js")).describeServers(files, diagnostics);
}
