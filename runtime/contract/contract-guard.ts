import type { Method, AnySendMiddleware } from "@mcp-codegen/runtime";
import type {
  ClientPlugin,
  OpenClient,
  PluggedIn,
  ServerDescription,
} from "@mcp-codegen/runtime/facade/client";
import {
  ContractDriftError,
  differingEntries,
  type DriftChange,
  hasSameInstructions,
  type SeenServer,
} from "./contract-drift.js";
import { CHANGE_CLASSES, type ChangeClass } from "./diff/change.js";
import { type ContractList, FAMILIES, LISTS } from "./families.js";
import { type ContractDefinition, coveredLists, type ServerContract } from "./server-contract.js";

/**
 * Reaction to a server that no longer matches its contract: `refuse` rejects; `warn` reports a `ContractDriftError`
 * to `onerror` and continues; a function decides, and returns true to continue.
 */
export type OnDrift =
  "refuse" | "warn" | ((changes: readonly DriftChange[]) => boolean | Promise<boolean>);

export interface ContractGuardOptions {
  /** Reaction to a server that does not match its contract. Default: `refuse`. */
  readonly onDrift?: OnDrift | undefined;
  /** Called when a server that has drifted matches its contract again. */
  readonly onReturn?: (() => void) | undefined;
  /**
   * Lowest class of change that counts as drift. Default: `prose`, so that additive changes, such as a new tool,
   * pass. Use `any` in a host that shows all tools to a model.
   */
  readonly failOn?: Exclude<ChangeClass, "additive"> | "any" | undefined;
}

/**
 * Guards a client with a contract: `connect(target, { plugins: [contractGuard(contract)] })`. The server is compared
 * with its contract before `connect` resolves, and again when it reports changes, opens another session or is
 * restarted. Requests other than listing wait for the comparison, and reject with a `ContractDriftError` if the
 * server is rejected.
 *
 * @param contract - a member of `servers` in `mcp.lock.json`, or the `contract` of a generated module
 */
export function contractGuard(
  contract: ServerContract,
  { onDrift = "refuse", onReturn, failOn = "prose" }: ContractGuardOptions = {},
): ClientPlugin {
  const least = CHANGE_CLASSES.indexOf(failOn === "any" ? "additive" : failOn);
  if (least < 0) throw new TypeError(`failOn must be one of ${CHANGE_CLASSES.join(", ")} and any`);
  const classes = CHANGE_CLASSES.slice(0, least + 1);
  return ({ report }) => new ContractGuard(contract, { onDrift, onReturn, classes, report });
}

type Listing = Readonly<
  Record<
    ContractList,
    (params: undefined, options: { readonly cache: "reload" }) => AsyncIterable<object>
  >
>;

/** True for a request that does more than open a connection or list what the server offers. */
function isGuarded({ kind, paginated, role }: Method): boolean {
  return kind === "request" && !paginated && role === undefined;
}

/** Reactions of the options to the result of a comparison, with their defaults. */
interface Reaction extends Pick<ContractGuardOptions, "onReturn"> {
  readonly onDrift: OnDrift;
  /** Classes of change that count as drift. */
  readonly classes: readonly ChangeClass[];
  report(error: Error): void;
}

/** Delays requests until the server has been compared with its contract. */
class ContractGuard implements PluggedIn {
  readonly #contract: ServerContract;
  readonly #reaction: Reaction;
  #client: (OpenClient & Listing) | undefined;
  /** Description of the server in a session other than the one that `connect` opened. */
  #opened: ServerDescription | undefined;
  /** Result of the last comparison; undefined if one is due. */
  #kept: Promise<void> | undefined;
  /** Accepted changes, as text. */
  #accepted: string | undefined;

  constructor(contract: ServerContract, reaction: Reaction) {
    this.#contract = contract;
    this.#reaction = reaction;
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

  /** Compares for the first time, and then whenever the server reports changes. */
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

  /** Compares again, because the server may be a different one. Rejects if it does not match the contract. */
  outdated(server?: ServerDescription): Promise<void> | undefined {
    if (server) this.#opened = server;
    if (this.#client === undefined) return undefined;
    this.#kept = undefined;
    const ready = this.#ready();
    ready.catch(this.#reaction.report);
    return ready;
  }

  #ready(): Promise<void> {
    const kept = (this.#kept ??= this.#compare());
    kept.catch((error: unknown) => {
      // A failed reading is repeated; a rejection is final.
      if (!(error instanceof ContractDriftError) && this.#kept === kept) this.#kept = undefined;
    });
    return kept;
  }

  async #compare(): Promise<void> {
    const client = this.#client!;
    const contract = this.#contract;
    const lists = new Map<ContractList, readonly ContractDefinition[]>();
    for (const list of coveredLists(contract)) {
      const listed: ContractDefinition[] = [];
      for await (const item of client[list](undefined, { cache: "reload" }))
        listed.push(item as ContractDefinition);
      lists.set(list, listed);
    }
    const { instructions } = this.#opened ?? client.server;
    const seen: SeenServer = { revision: client.revision, instructions, lists };
    const isEqual = hasSameInstructions(contract, seen);
    if (isEqual && differingEntries(contract, seen).length === 0) return this.#returned();
    // Most servers match their contracts, so the comparison is loaded only for those that may not.
    const { driftOf } = await import("./diff/drift.js");
    await this.#decide(driftOf(contract, seen));
  }

  async #decide(changes: readonly DriftChange[]): Promise<void> {
    const { onDrift, classes, report } = this.#reaction;
    const serious = changes.filter((change) => classes.includes(change.class));
    if (serious.length === 0) return this.#returned();
    const text = JSON.stringify(serious);
    if (text === this.#accepted) return;
    const error = new ContractDriftError(changes);
    if (onDrift === "warn") report(error);
    else if (onDrift === "refuse" || !(await onDrift(changes))) throw error;
    this.#accepted = text;
  }

  #returned(): void {
    if (this.#accepted === undefined) return;
    this.#accepted = undefined;
    this.#reaction.onReturn?.();
  }
}
