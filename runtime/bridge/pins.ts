import type { DriftChange, ServerContract } from "@mcp-codegen/contract";
import type { Access } from "./policy.js";
import type { NamedUpstream } from "./upstream.js";

/**
 * Adds a contract guard to the connections of servers that have a contract in the policy.
 *
 * @param changed - called when the set of hidden entries has changed
 * @throws TypeError if `@mcp-codegen/contract` is not installed
 */
export async function guarded(
  upstreams: readonly NamedUpstream[],
  access: Access,
  report: (error: Error) => void,
  changed: () => void,
): Promise<readonly NamedUpstream[]> {
  const guards = upstreams.map(async (one) => {
    const { name, options } = one;
    const { contract, onDrift = "hide" } = access.rulesFor(name);
    if (contract === undefined) return one;
    const { contractGuard } = await import("@mcp-codegen/contract").catch((cause: unknown) => {
      throw new TypeError("contract: install @mcp-codegen/contract, which compares it", { cause });
    });
    const hide = (changes: readonly DriftChange[]): "hide" => {
      for (const change of changes) report(driftOf(name, change));
      changed();
      return "hide";
    };
    const guard = contractGuard(contract as unknown as ServerContract, {
      failOn: "any",
      onDrift: onDrift === "hide" ? hide : onDrift,
      onReturn: changed,
    });
    return { ...one, options: { ...options, plugins: [...(options.plugins ?? []), guard] } };
  });
  return Promise.all(guards);
}

function driftOf(server: string, { list, name, change }: DriftChange): Error {
  const who = server === "" ? "The server" : server;
  const what = `${list}${name === "" ? "" : ` ${JSON.stringify(name.slice(0, 80))}`} ${change}`;
  const effect = change === "removed" || name === "" ? "" : ", and is hidden";
  return new Error(`${who} no longer matches its contract: ${what}${effect}`);
}
