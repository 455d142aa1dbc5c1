import {
  type AnySendMiddleware,
  INVALID_PARAMS,
  type Method,
  type MethodFamily,
  RpcError,
  type Send,
  type Sending,
} from "@mcp-codegen/runtime";
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
 * Controls the reaction to a server that no longer matches its contract. `refuse` rejects requests with a
 * `ContractDriftError`. `warn` reports that error to `onerror` and continues. `hide` reports it and continues as if the
 * entries that differ did not exist. A function can decide instead: it returns true to continue, false to refuse, or
 * `hide`.
 */
export type OnDrift =
  | "refuse"
  | "warn"
  | "hide"
  | ((changes: readonly DriftChange[]) => boolean | "hide" | Promise<boolean | "hide">);

export interface ContractGuardOptions {
  /** The reaction to a server that does not match its contract. Default: `refuse`. */
  readonly onDrift?: OnDrift | undefined;
  /** Called when a server that has drifted matches its contract again. */
  readonly onReturn?: (() => void) | undefined;
  /**
   * The least serious class of change that counts as drift. Default: `prose`, so that additive changes, such as a new
   * tool, are accepted. Use `any` in a host that shows all tools to a model.
   */
  readonly failOn?: Exclude<ChangeClass, "additive"> | "any" | undefined;
}

/**
 * Creates a plugin that guards a client with a contract: `connect(target, { plugins: [contractGuard(contract)] })`. The
 * server is compared with its contract before `connect` resolves. It is compared again when it reports changes, opens
 * another session or is restarted. Requests wait for the comparison. If the server is rejected, they reject with a
 * `ContractDriftError`, except for requests that list entries.
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
    (
      params: undefined,
      options: { readonly cache: "reload"; readonly context: unknown },
    ) => AsyncIterable<object>
  >
>;

/** Returns true if a request does more than open a connection. */
function isGuarded({ kind, role }: Method): boolean {
  return kind === "request" && role === undefined;
}

interface Reaction extends Pick<ContractGuardOptions, "onReturn"> {
  readonly onDrift: OnDrift;
  readonly classes: readonly ChangeClass[];
  report(error: Error): void;
}

/** A guard that delays requests until the server has been compared with its contract. */
class ContractGuard implements PluggedIn {
  readonly #contract: ServerContract;
  readonly #reaction: Reaction;
  #client: (OpenClient & Listing) | undefined;
  /** The server's description from the last session opened after `connect`, or undefined if there has not been one. */
  #opened: ServerDescription | undefined;
  /** The last comparison, which rejects if the server was rejected. Undefined if the server must be compared again. */
  #kept: Promise<void> | undefined;
  /** The last accepted changes, as JSON. Undefined if the server matches the contract. */
  #accepted: string | undefined;
  /** The entries that are hidden from the client, as list and key: `tools buy`. */
  #hidden: ReadonlySet<string> = new Set();

  constructor(contract: ServerContract, reaction: Reaction) {
    this.#contract = contract;
    this.#reaction = reaction;
  }

  readonly sending: readonly AnySendMiddleware[] = [
    Object.assign(
      async ({ method, params, options }: Sending, send: Send) => {
        const family = Object.values(FAMILIES).find(({ list }) => list === method);
        if (family && (options.context === this || !this.#mayHide)) return send();
        // Another comparison may become necessary while this one is awaited.
        for (let kept; kept !== this.#kept || kept === undefined;) {
          kept = this.#ready();
          await (family ? kept.catch(() => {}) : kept);
        }
        if (family) return withoutHidden(family, await send(), this.#hidden);
        assertShown(method, params, this.#hidden);
        return send();
      },
      { concerns: isGuarded },
    ),
  ];

  get #mayHide(): boolean {
    const { onDrift } = this.#reaction;
    return onDrift === "hide" || typeof onDrift === "function";
  }

  /** Makes the first comparison and subscribes to change notifications, each of which triggers another comparison. */
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
    // Because of these listeners, the server sends change notifications, and the client then calls `outdated`.
    await Promise.all(
      [...new Set(events)].map((event) => client.on(event as never, () => {}).ready),
    );
    await this.#ready();
  }

  /**
   * Compares the server with its contract again, because its lists may have changed or it may be a different server.
   * Returns undefined before the first comparison.
   */
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
      // If the lists could not be read, the next request tries again; a rejected server stays rejected until it
      // changes.
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
      for await (const item of client[list](undefined, { cache: "reload", context: this }))
        listed.push(item as ContractDefinition);
      lists.set(list, listed);
    }
    const { instructions } = this.#opened ?? client.server;
    const seen: SeenServer = { revision: client.revision, instructions, lists };
    const isEqual = hasSameInstructions(contract, seen);
    if (isEqual && differingEntries(contract, seen).length === 0) return this.#returned();
    // Most servers match their contracts, so the code that explains differences is loaded only when there are any.
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
    const decision = typeof onDrift === "function" ? await onDrift(changes) : onDrift;
    if (decision === "refuse" || decision === false) throw error;
    if (typeof onDrift === "string") report(error);
    this.#accepted = text;
    const hidden = decision === "hide" ? serious : [];
    this.#hidden = new Set(hidden.map(({ list, name }) => `${list} ${name}`));
  }

  #returned(): void {
    if (this.#accepted === undefined) return;
    this.#accepted = undefined;
    this.#hidden = new Set();
    this.#reaction.onReturn?.();
  }
}

type Params = Readonly<Record<string, unknown>> | undefined;

function withoutHidden(
  { name: list, key }: MethodFamily,
  page: unknown,
  hidden: ReadonlySet<string>,
): unknown {
  const { [list]: items } = page as Readonly<Record<string, unknown>>;
  if (hidden.size === 0 || !Array.isArray(items)) return page;
  const shown = items.filter((item) => !hidden.has(`${list} ${(item as Params)?.[key]}`));
  return { ...(page as object), [list]: shown };
}

function assertShown(method: string, params: unknown, hidden: ReadonlySet<string>): void {
  if (hidden.size === 0) return;
  for (const family of Object.values(FAMILIES)) {
    const name = usedItem(family, method, params as Params);
    if (!hidden.has(`${family.name} ${String(name)}`)) continue;
    throw new RpcError(INVALID_PARAMS, `Unknown ${family.noun}: ${JSON.stringify(name)}`);
  }
}

function usedItem(
  { use, by, key, subscribe, reference, templatesOf }: MethodFamily,
  method: string,
  params: Params,
): unknown {
  const isUse = method === use && templatesOf === undefined;
  if (isUse || method === subscribe) return params?.[by!];
  const ref = params?.["ref"] as Params;
  const isReferred = reference !== undefined && ref?.["type"] === reference;
  return isReferred ? ref?.[key === "name" ? key : "uri"] : undefined;
}
