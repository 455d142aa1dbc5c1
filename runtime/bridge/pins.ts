import type { ConnectOptions } from "@mcp-codegen/universal/client";
import type { DriftChange, ServerContract } from "@mcp-codegen/contract";
import type { Access, PolicyRules } from "./policy.js";
import type { NamedUpstream } from "./upstream.js";

type Plugin = NonNullable<ConnectOptions["plugins"]>[number];

/** Entries that differ from their contract, as one conversation has found. */
type Drifted = Set<string>;

/** Guards the servers that the policy has contracts for. @throws TypeError if contracts cannot be compared */
export async function guarded(
  upstreams: readonly NamedUpstream[],
  access: Access,
  report: (error: Error) => void,
  changed: () => void,
): Promise<readonly NamedUpstream[]> {
  const pins = new Pins(report, changed);
  access.pins = pins;
  return Promise.all(upstreams.map((one) => pins.guarded(one, access.rulesFor(one.name))));
}

/** Definitions that contracts pin, and those that have drifted from them. */
class Pins {
  /** Drifted entries of each conversation: `<server> <list> <name>`. */
  readonly #drifted = new Set<Drifted>();
  readonly #report: (error: Error) => void;
  readonly #changed: () => void;

  /** @param changed - called when the hidden entries have changed */
  constructor(report: (error: Error) => void, changed: () => void) {
    this.#report = report;
    this.#changed = changed;
  }

  /** True for an entry that differs from its contract in some conversation. @param list - `tools` */
  hides(server: string, list: string, name: string): boolean {
    const entry = `${server} ${list} ${name}`;
    return [...this.#drifted].some((one) => one.has(entry));
  }

  /** The options of connecting to a server, with the guard of its contract. @throws TypeError if contracts cannot be compared */
  async guarded(upstream: NamedUpstream, rules: PolicyRules | undefined): Promise<NamedUpstream> {
    const { contract, onDrift = "hide" } = rules ?? {};
    if (contract === undefined) return upstream;
    const { contractGuard } = await import("@mcp-codegen/contract").catch((cause: unknown) => {
      throw new TypeError("contract: install @mcp-codegen/contract, which compares it", { cause });
    });
    const { name, options } = upstream;
    const guard: Plugin = (host) => {
      const own: Drifted = new Set();
      const plugin = contractGuard(contract as unknown as ServerContract, {
        failOn: "any",
        onDrift: (changes) => {
          if (onDrift === "refuse") return false;
          this.#hide(own, name, changes);
          return true;
        },
        onReturn: () => this.#hide(own, name, []),
      })(host);
      const opened: typeof plugin.opened = async (client) => {
        void client.closed.then(() => this.#hide(own, name, []));
        await plugin.opened?.(client);
      };
      return { sending: plugin.sending, outdated: (server) => plugin.outdated?.(server), opened };
    };
    return { ...upstream, options: { ...options, plugins: [...(options.plugins ?? []), guard] } };
  }

  /** Hides the entries that one conversation has found to differ, in place of those that it had found before. */
  #hide(own: Drifted, server: string, changes: readonly DriftChange[]): void {
    const entries = changes.map(({ list, name }) => `${server} ${list} ${name}`);
    const isSame = entries.length === own.size && entries.every((one) => own.has(one));
    own.clear();
    for (const one of entries) own.add(one);
    if (own.size > 0) this.#drifted.add(own);
    else this.#drifted.delete(own);
    for (const change of changes) this.#report(driftOf(server, change));
    if (!isSame) this.#changed();
  }
}

function driftOf(server: string, { list, name, change }: DriftChange): Error {
  const who = server === "" ? "The server" : server;
  const what = `${list}${name === "" ? "" : ` ${JSON.stringify(name.slice(0, 80))}`} ${change}`;
  const effect = change === "removed" || name === "" ? "" : ", and is hidden";
  return new Error(`${who} no longer keeps its contract: ${what}${effect}`);
}
