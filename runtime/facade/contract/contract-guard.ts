import type { AnySendMiddleware } from "../../api/index.js";
import type { Method } from "../../wire/index.js";
import type { ContractDefinition, ServerContract } from "./server-contract.js";
import {
  CONTRACT_LISTS,
  ContractDriftError,
  type ContractList,
  type DriftChange,
  listDrift,
} from "./contract-drift.js";

/**
 * Reaction to a server that no longer keeps its contract: `refuse` rejects, `warn` reports a `ContractDriftError` to
 * `onerror` and goes on, and a function decides: true to go on.
 */
export type OnDrift =
  "refuse" | "warn" | ((changes: readonly DriftChange[]) => boolean | Promise<boolean>);

/** Client whose server is guarded. */
export interface GuardedClient {
  readonly server: { readonly capabilities?: unknown; readonly instructions?: unknown };
  on(event: never, listener: () => void): { readonly ready: Promise<void> };
}

type Listing = Readonly<
  Record<ContractList, (options: { readonly cache: "reload" }) => AsyncIterable<object>>
>;

/** True for a request that tells a server something, beyond opening a connection and asking what there is. */
function isGuarded({ kind, paginated, role }: Method): boolean {
  return kind === "request" && !paginated && role === undefined;
}

/** Keeps requests back until a server is known to keep its contract. */
export class ContractGuard {
  readonly #contract: ServerContract;
  readonly #onDrift: OnDrift;
  readonly #report: (error: Error) => void;
  #client: (GuardedClient & Listing) | undefined;
  /** Description of the server of another session than the one that `connect` opened. */
  #opened: { readonly instructions?: unknown } | undefined;
  /** Outcome of the last comparison; undefined when one is due. */
  #kept: Promise<void> | undefined;
  /** Changes that were accepted, as text. */
  #accepted: string | undefined;

  constructor(contract: ServerContract, onDrift: OnDrift, report: (error: Error) => void) {
    this.#contract = contract;
    this.#onDrift = onDrift;
    this.#report = report;
  }

  readonly middleware: AnySendMiddleware = Object.assign(
    async (_message: unknown, send: () => unknown) => {
      // Another comparison may have become due meanwhile.
      for (let kept; kept !== this.#kept || kept === undefined;) await (kept = this.#ready());
      return send();
    },
    { concerns: isGuarded },
  );

  /** Compares for the first time, and from now on whenever the server tells of changes. */
  async attach(client: GuardedClient): Promise<void> {
    this.#client = client as GuardedClient & Listing;
    const capabilities = (client.server.capabilities ?? {}) as Readonly<
      Record<string, { readonly listChanged?: boolean } | undefined>
    >;
    const lists = ["tools", "prompts", "resources"].filter(
      (list) => capabilities[list]?.listChanged,
    );
    // The news themselves come by outdated().
    await Promise.all(lists.map((list) => client.on(`${list}Changed` as never, () => {}).ready));
    await this.#ready();
  }

  /**
   * Compares again: the server may be another one. Rejects where that does not keep the contract.
   *
   * @param opened - how it describes itself, where the client does not know that yet
   */
  outdated(opened?: { readonly instructions?: unknown }): Promise<void> | undefined {
    if (opened) this.#opened = opened;
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
    for (const list of Object.keys(CONTRACT_LISTS) as ContractList[]) {
      const listed: ContractDefinition[] = [];
      for await (const item of client[list]({ cache: "reload" }))
        listed.push(item as ContractDefinition);
      changes.push(...listDrift(list, this.#contract[list], listed));
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
