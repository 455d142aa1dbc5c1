import type { Method, AnySendMiddleware } from "@mcp-codegen/runtime";
import type {
  ClientPlugin,
  OpenClient,
  PluggedIn,
  ServerDescription,
} from "@mcp-codegen/runtime/facade/client";
import type { ContractDefinition, ServerContract } from "./server-contract.js";
import { ContractDriftError, type DriftChange, listDrift } from "./contract-drift.js";
import { type ContractList, FAMILIES, LISTS } from "./families.js";

/**
 * Reaction to a server that no longer keeps its contract: `refuse` rejects, `warn` reports a `ContractDriftError` to
 * `onerror` and goes on, and a function decides: true to go on.
 */
export type OnDrift =
  "refuse" | "warn" | ((changes: readonly DriftChange[]) => boolean | Promise<boolean>);

export interface ContractGuardOptions {
  /** Reaction to a server that does not keep its contract. Default: `refuse`. */
  readonly onDrift?: OnDrift | undefined;
}

/**
 * Guards a client by a contract: `connect(target, { plugins: [contractGuard(contract)] })`. The server is compared with
 * its contract before `connect` resolves, and again when it reports changes, opens another session or is started again.
 * Requests beyond listing wait for the comparison, and reject with a `ContractDriftError` if the server is refused.
 *
 * @param contract - a member of `servers` in `mcp.lock.json`, or the `contract` of a generated module
 */
export function contractGuard(
  contract: ServerContract,
  { onDrift = "refuse" }: ContractGuardOptions = {},
): ClientPlugin {
  return ({ report }) => new ContractGuard(contract, onDrift, report);
}

type Listing = Readonly<
  Record<ContractList, (options: { readonly cache: "reload" }) => AsyncIterable<object>>
>;

/** True for a request that sends a server something, beyond opening a connection and listing what it offers. */
function isGuarded({ kind, paginated, role }: Method): boolean {
  return kind === "request" && !paginated && role === undefined;
}

/** Holds requests back until the server is known to keep its contract. */
class ContractGuard implements PluggedIn {
  readonly #contract: ServerContract;
  readonly #onDrift: OnDrift;
  readonly #report: (error: Error) => void;
  #client: (OpenClient & Listing) | undefined;
  /** Description of the server of another session than the one that `connect` opened. */
  #opened: ServerDescription | undefined;
  /** Outcome of the last comparison; undefined when one is due. */
  #kept: Promise<void> | undefined;
  /** Changes that were accepted, as text. */
  #accepted: string | undefined;

  constructor(contract: ServerContract, onDrift: OnDrift, report: (error: Error) => void) {
    this.#contract = contract;
    this.#onDrift = onDrift;
    this.#report = report;
  }

  readonly sending: readonly AnySendMiddleware[] = [
    Object.assign(
      async (_message: unknown, send: () => unknown) => {
        // Another comparison may become due in the meantime.
        for (let kept; kept !== this.#kept || kept === undefined;) await (kept = this.#ready());
        return send();
      },
      { concerns: isGuarded },
    ),
  ];

  /** Compares for the first time, and from now on whenever the server reports changes. */
  async opened(client: OpenClient): Promise<void> {
    this.#client = client as OpenClient & Listing;
    const capabilities = (client.server.capabilities ?? {}) as Readonly<
      Record<string, { readonly listChanged?: boolean } | undefined>
    >;
    const events = LISTS.flatMap((list) => {
      const { changed = "" } = FAMILIES[list];
      const name = /^notifications\/(.+)\/list_changed$/.exec(changed)?.[1];
      return name !== undefined && capabilities[name]?.listChanged ? [`${name}Changed`] : [];
    });
    // The listeners make the server send its change notifications; these reach outdated().
    await Promise.all(
      [...new Set(events)].map((event) => client.on(event as never, () => {}).ready),
    );
    await this.#ready();
  }

  /** Compares again, as the server may be another one. Rejects if it does not keep the contract. */
  outdated(server?: ServerDescription): Promise<void> | undefined {
    if (server) this.#opened = server;
    if (this.#client === undefined) return undefined;
    this.#kept = undefined;
    const ready = this.#ready();
    ready.catch(this.#report);
    return ready;
  }

  #ready(): Promise<void> {
    const kept = (this.#kept ??= this.#compare());
    kept.catch((error: unknown) => {
      // What could not be read is read again; a refusal stays.
      if (!(error instanceof ContractDriftError) && this.#kept === kept) this.#kept = undefined;
    });
    return kept;
  }

  async #compare(): Promise<void> {
    const client = this.#client!;
    const changes: DriftChange[] = [];
    const { instructions } = this.#contract;
    if ((instructions ?? undefined) !== (this.#opened ?? client.server).instructions) {
      changes.push({ list: "instructions", name: "", change: "changed", parts: ["prose"] });
    }
    for (const list of LISTS) {
      const listed: ContractDefinition[] = [];
      for await (const item of client[list]({ cache: "reload" }))
        listed.push(item as ContractDefinition);
      changes.push(...listDrift(list, this.#contract[list] ?? [], listed));
    }
    if (changes.length > 0) await this.#decide(changes);
  }

  async #decide(changes: readonly DriftChange[]): Promise<void> {
    const text = JSON.stringify(changes);
    if (text === this.#accepted) return;
    const error = new ContractDriftError(changes);
    if (this.#onDrift === "warn") this.#report(error);
    else if (this.#onDrift === "refuse" || !(await this.#onDrift(changes))) throw error;
    this.#accepted = text;
  }
}
