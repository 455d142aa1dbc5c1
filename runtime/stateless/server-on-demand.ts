import { type Freshness, assertRounds } from "../api/index.js";
import {
  type Address,
  type Admitted,
  type Binding,
  type Connection,
  type Conversation,
  type Conversations,
  type Lifecycle,
  type LifecycleStrategy,
  type Opening,
  type SideDefinition,
  notSent,
  unbound,
} from "../engine/index.js";
import {
  CapabilityError,
  type Method,
  type Revision,
  declaredBy,
  missingCapability,
  revisionNamed,
} from "../wire/index.js";
import type { StatelessServer } from "./server/index.js";
import { topicsOf } from "./topics.js";

/**
 * The lifecycle of servers with stateless revisions. Its code is loaded when the first stateless message arrives, so
 * that a process whose client opens a session never loads it.
 *
 * @throws TypeError if the option `freshness` or `rounds` is invalid
 */
export const serverStateless: LifecycleStrategy = (opening) => new ServerOnDemand(opening);

class ServerOnDemand implements Conversations, Lifecycle {
  readonly agreement = undefined;
  readonly isSettled = false;
  readonly binding: Binding;
  stateless: StatelessServer | undefined;
  readonly #opening: Opening;
  #loading: Promise<void> | undefined;

  constructor(opening: Opening) {
    const { revisions, definition } = opening;
    this.#opening = opening;
    this.binding = unbound(revisions[0]);
    assertFreshness(definition.options.freshness, revisions);
    assertRounds(definition.options.rounds);
    let announced: ReadonlySet<string> | undefined;
    definition.listeners.add((event, connection) => {
      this.stateless?.notify(event, connection);
      announced ??= new Set(revisions.flatMap((one) => announcedIn(one, definition)));
      return announced.has(event.method);
    });
  }

  load(): Promise<void> {
    this.#loading ??= import("./server/index.js").then(
      (loaded) => {
        this.stateless = new loaded.StatelessServer(this.#opening);
      },
      (cause: unknown) => {
        this.#loading = undefined;
        throw new Error("The code for stateless requests could not be loaded", { cause });
      },
    );
    return this.#loading;
  }

  begin(): this {
    return this;
  }

  async open(): Promise<void> {}

  receive(
    _connection: Connection,
    kind: Method["kind"],
    method: string,
    params: unknown,
  ): Conversation | Promise<void> {
    const { stateless } = this;
    return stateless
      ? stateless.conversationFor(kind, method, params, revisionNamed(params))
      : this.load();
  }

  control(): undefined {
    return undefined;
  }

  admit({ kind, method }: Address): Admitted {
    if (kind === "request") {
      const how = "requests for input travel inside results, and it cannot";
      throw new CapabilityError(`${method} was not sent: ${how}`);
    }
    const why = "without a handshake, each message belongs to a request of the client";
    throw notSent(method, why);
  }
}

/** Returns the notifications to which clients can subscribe because the server has declared the required capability. */
function announcedIn(revision: Revision, definition: SideDefinition): string[] {
  const declared = declaredBy("server", definition.capabilitiesIn(revision));
  const methods = [...(topicsOf(revision)?.members.keys() ?? [])];
  return methods.filter((method) => {
    const row = revision.methods.get(method);
    return row !== undefined && missingCapability(row, "server", declared) === undefined;
  });
}

function assertFreshness(
  freshness: Readonly<Record<string, Freshness>> | undefined,
  revisions: readonly Revision[],
): void {
  for (const [method, { ttlMs = 0, cacheScope = "private" }] of Object.entries(freshness ?? {})) {
    const isCacheable = revisions.some(({ methods }) => methods.get(method)?.cacheable);
    if (!isCacheable) throw new TypeError(`freshness: results of ${method} cannot be cached`);
    if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) {
      throw new TypeError(`freshness: ttlMs of ${method} must be a whole number, 0 or more`);
    }
    if (cacheScope !== "public" && cacheScope !== "private") {
      throw new TypeError(`freshness: cacheScope of ${method} must be "public" or "private"`);
    }
  }
}
