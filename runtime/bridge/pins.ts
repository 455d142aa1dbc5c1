import type { ConnectOptions } from "@mcp-codegen/universal/client";
import type { DriftChange, ServerContract } from "@mcp-codegen/contract";
import type { PolicyRules } from "./policy.js";
import type { NamedUpstream } from "./upstream.js";

type Plugin = NonNullable<ConnectOptions["plugins"]>[number];

/** Definitions that contracts pin, and those that have drifted from them. */
export class Pins {
  /** Drifted entries: `<server> <list> <name>`. */
  readonly #drifted = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #report: (error: Error) => void;

  constructor(report: (error: Error) => void) {
    this.#report = report;
  }

  /** True for an entry that is not what its contract says. @param list - `tools` */
  hides(server: string, list: string, name: string): boolean {
    return this.#drifted.has(`${server} ${list} ${name}`);
  }

  /** The options of connecting to a server, with the guard of its contract. @throws TypeError if contracts cannot be compared */
  async guarded(upstream: NamedUpstream, rules: PolicyRules | undefined): Promise<NamedUpstream> {
    const { contract, onDrift = "hide" } = rules ?? {};
    if (contract === undefined) return upstream;
    const { contractGuard } = await import("@mcp-codegen/contract").catch((cause: unknown) => {
      throw new TypeError("contract: install @mcp-codegen/contract, which compares it", { cause });
    });
    const { name, options } = upstream;
    const isKept = (changes: readonly DriftChange[]): boolean => {
      if (onDrift === "refuse") return false;
      for (const change of changes) this.#hide(name, change);
      return true;
    };
    const guard: Plugin = contractGuard(contract as unknown as ServerContract, {
      failOn: "any",
      onDrift: isKept,
    });
    return { ...upstream, options: { ...options, plugins: [...(options.plugins ?? []), guard] } };
  }

  #hide(server: string, { list, name, change }: DriftChange): void {
    this.#drifted.add(`${server} ${list} ${name}`);
    const who = server === "" ? "The server" : server;
    const what = `${list}${name === "" ? "" : ` ${JSON.stringify(name.slice(0, 80))}`} ${change}`;
    const effect = change === "removed" || name === "" ? "" : ", and is hidden";
    const text = `${who} no longer keeps its contract: ${what}${effect}`;
    if (this.#reported.has(text) || this.#reported.size >= 1000) return;
    this.#reported.add(text);
    this.#report(new Error(text));
  }
}
