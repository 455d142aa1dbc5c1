import { within } from "../../../ground/index.js";
import { type Revision, isObject } from "../../../wire/index.js";
import { reporter } from "../../../engine/index.js";
import { type IntervalTimer, intervalTimer } from "../limits.js";
import type { Exchange } from "../requests/exchange.js";
import type { Problem } from "../requests/problem.js";
import type {
  LocalSession,
  RelayedMessage,
  RelayReceiver,
  Sender,
  SessionSharing,
  SharingHost,
} from "../sessions/session-sharing.js";
import type { EventId } from "../streams/server-sent-events.js";
import {
  type InstanceMessage,
  parseInstanceMessage,
  randomName,
  recipientOf,
  type StoreAccess,
  storeAccess,
  type StoreName,
  storeName,
} from "./instances.js";
import { Replica } from "./replica.js";
import { InstanceEvents, type ReaderContext, StreamReader } from "./shared-streams.js";
import type { KeptSession, SharedStores } from "./stores.js";

export interface SharedSessionsOptions {
  /**
   * The time, in milliseconds, after which an instance without a heartbeat is considered gone. Clients then receive an
   * error for the requests that it was handling. Three heartbeats are sent in this time. Default: 15,000.
   */
  readonly lease?: number | undefined;
  /**
   * The methods of messages that take effect for the whole session, each with the method that reverts it, or undefined.
   * Every instance delivers such messages to its handlers. The log level and resource subscriptions need no entry.
   * Default: none.
   */
  readonly lasting?: Readonly<Record<string, string | undefined>> | undefined;
  /** The time, in milliseconds, that a call to a store may take. A call that takes longer has failed. Default: 5000. */
  readonly timeout?: number | undefined;
  /**
   * Called once for each outage of the stores. Default: writes one line with `console.error`, unless the stores report
   * outages themselves.
   */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Matches the session ids that are looked up in the stores: the protocol's characters, up to a sufficient length. */
const SESSION_ID = /^[\x21-\x7e]{1,256}$/;

const SESSION_STREAM = "session";

/** The maximum number of lasting messages per session. Further ones take effect at one instance only. */
const MAX_LASTING = 2000;

/** The maximum time, in milliseconds, that the stores may take when an instance leaves. */
const LONGEST_LEAVE = 5000;

/**
 * The maximum interval, in milliseconds, between the calls that mark sessions as used when they are in use without
 * requests.
 */
const LONGEST_TOUCH = 60_000;

/**
 * Sessions of an HTTP handler that all instances of a server share: any of them can serve any request, and continue any
 * stream. Settings of a session move with it, such as its log level and its subscriptions; the state of handlers does
 * not.
 *
 * @example
 * ```ts
 * import { createHttpHandler } from "@mcp-codegen/universal";
 * import { memoryStores } from "@mcp-codegen/testing/stores";
 *
 * const stores = memoryStores(); // for tests, in one process; in production, for example, redis(client)
 * const one = createHttpHandler(server, { sessions: new SharedSessions(stores) });
 * const other = createHttpHandler(server, { sessions: new SharedSessions(stores) });
 * ```
 */
export class SharedSessions implements SessionSharing {
  /** The name of this instance, which is unique among the instances that share the sessions. */
  readonly instance: string = randomName(8);
  readonly events: InstanceEvents;
  readonly #stores: SharedStores;
  readonly #access: StoreAccess;
  readonly #storeName: StoreName;
  readonly #lease: number;
  readonly #lasting: Readonly<Record<string, string | undefined>>;
  readonly #replicas = new Map<string, Replica>();
  /** The sessions that are being restored at this instance, by id. Concurrent requests share one restoration. */
  readonly #restoring = new Map<string, Promise<LocalSession | Problem | undefined>>();
  readonly #heartbeat: IntervalTimer;
  #host: SharingHost | undefined;
  #relayReceiver: RelayReceiver | undefined;
  readonly #handlers = new Set<RelayReceiver | SharingHost>();
  #joining: Promise<void> | undefined;
  #leaving: Promise<void> | undefined;
  #stopMail: (() => void) | undefined;
  /** The time when the sessions in use were last touched, on the `performance.now()` clock. */
  #touched = 0;

  /** @throws TypeError if the stores are invalid */
  constructor(stores: SharedStores, options: SharedSessionsOptions = {}) {
    if (!isObject(stores?.sessions) || !isObject(stores.streams) || !isObject(stores.mail)) {
      const advice = "such as redis(client) or memoryStores()";
      throw new TypeError(`SharedSessions needs { sessions, streams, mail }, ${advice}`);
    }
    const { lease = 15_000, lasting = {}, timeout = 5000, onerror } = options;
    this.#stores = stores;
    this.#access = storeAccess(timeout, onerror ?? (stores.reportsOutages ? silent : undefined));
    this.#storeName = storeName(reporter(onerror));
    this.#lease = lease;
    this.#lasting = lasting;
    this.events = new InstanceEvents(stores.streams, this.instance, this.#access);
    this.#heartbeat = intervalTimer(lease / 3, () => {
      void this.#beat();
      return true;
    });
  }

  join(host: SharingHost): void {
    if (this.#host) throw alreadyUsed();
    this.#host = host;
    this.#handlers.add(host);
  }

  async newKey(): Promise<string> {
    await this.#joined();
    return this.#storeName.markedId(`${this.instance}-${crypto.randomUUID()}`);
  }

  joinRelay(receiver: RelayReceiver): void {
    if (this.#relayReceiver) throw alreadyUsed();
    this.#relayReceiver = receiver;
    this.#handlers.add(receiver);
  }

  async relay(relayed: RelayedMessage): Promise<boolean> {
    const [, instance] = /^([0-9a-z]{8})-/.exec(relayed.session) ?? [];
    if (instance === undefined || instance === this.instance) return false;
    const message: InstanceMessage = { kind: "relayed", ...relayed };
    const isSent = await this.#access.to(this.#stores.mail.send(instance, JSON.stringify(message)));
    if (!isSent) this.#storeName.checkUnknown(relayed.session);
    return isSent;
  }

  async newSessionId(): Promise<string> {
    await this.#joined();
    return this.#storeName.markedId(crypto.randomUUID());
  }

  newRequestIds(): string {
    return `${this.instance}-${randomName(4)}-`;
  }

  async open(session: LocalSession): Promise<void> {
    const { sessions, streams } = this.#stores;
    const { principal, revision, opening } = session;
    const id = session.sessionId!;
    if (!SESSION_ID.test(id))
      throw new TypeError("newSessionId: an id must have 1 to 256 visible ASCII characters");
    await this.#joined();
    const record = { revision: revision!.id, opening: JSON.stringify(opening), principal };
    await this.#access.to(sessions.create(id, record));
    await this.#access.to(streams.open(id, SESSION_STREAM));
    this.#replicas.set(id, new Replica(session, this.#lasting, false));
  }

  async find(id: string, sender: Sender): Promise<LocalSession | Problem | undefined> {
    const { principal } = sender;
    if (!SESSION_ID.test(id)) return undefined;
    await this.#joined();
    const replica = this.#replicas.get(id);
    if (replica && replica.session.principal !== principal) return undefined;
    const kept = await this.#access.to(this.#stores.sessions.use(id, replica?.version));
    if (kept === undefined) {
      if (replica) replica.session.retire();
      else this.#storeName.checkUnknown(id);
      return undefined;
    }
    if (kept !== "known") {
      if (kept.record.principal !== principal) return undefined;
      return this.#upToDate(id, kept, sender);
    }
    return replica!.session.isClosed ? this.find(id, sender) : replica!.session;
  }

  async forward(session: LocalSession, value: unknown): Promise<unknown> {
    if (!Array.isArray(value)) return (await this.#isOwn(session, value)) ? value : undefined;
    const own: unknown[] = [];
    for (const message of value) if (await this.#isOwn(session, message)) own.push(message);
    return own.length > 0 || value.length === 0 ? own : undefined;
  }

  async send(session: LocalSession, text: string, once: string | undefined): Promise<void> {
    const pushing = this.#stores.streams.push(session.sessionId!, SESSION_STREAM, text, once);
    await this.#access.quietly(pushing);
  }

  async listen(session: LocalSession, exchange: Exchange): Promise<void> {
    await this.#listen(session, exchange, "unseen");
  }

  async resume(session: LocalSession, exchange: Exchange, lastEvent: EventId): Promise<void> {
    const { stream, index } = lastEvent;
    if (stream === SESSION_STREAM) return this.#listen(session, exchange, index);
    const reader = this.#readerOf(session, stream);
    const begun = await reader.begin(exchange, index);
    if (begun === undefined) return;
    const id = session.sessionId!;
    this.#replicas.get(id)?.read(reader);
    if (begun.writer)
      await this.#send(begun.writer.instance, { kind: "taken", session: id, stream });
  }

  isReading(session: LocalSession): boolean {
    return this.#replicas.get(session.sessionId ?? "")?.isReading ?? false;
  }

  async end(session: LocalSession): Promise<void> {
    const id = session.sessionId!;
    await this.#access.to(this.#stores.sessions.end(id));
    await this.#notifyOthers({ kind: "ended", session: id });
  }

  left(session: LocalSession): void {
    const id = session.sessionId!;
    const replica = this.#replicas.get(id);
    if (replica?.session !== session) return;
    this.#replicas.delete(id);
    replica.stop();
  }

  check(): Promise<unknown> {
    return this.#access.to(this.#stores.mail.isAlive(this.instance));
  }

  async part(handler: RelayReceiver | SharingHost): Promise<void> {
    const isLast = this.#handlers.delete(handler) && this.#handlers.size === 0;
    if (isLast) this.#leaving = this.#leaveInTime();
    await this.#leaving;
  }

  async #leaveInTime(): Promise<void> {
    this.#heartbeat.stop();
    await within(LONGEST_LEAVE, this.#leave());
  }

  async #leave(): Promise<void> {
    await this.events.settle();
    await this.#access.finish();
    this.#stopMail?.();
    if (this.#joining) await this.#access.quietly(this.#stores.mail.leave(this.instance));
    await this.#access.finish();
  }

  /**
   * Registers this instance in the store and starts receiving messages. This is done once; a failure is retried at the
   * next call.
   */
  #joined(): Promise<void> {
    this.#joining ??= this.#join().catch((error: Error) => {
      this.#joining = undefined;
      throw error;
    });
    return this.#joining;
  }

  async #join(): Promise<void> {
    const { mail } = this.#stores;
    this.#storeName.current = await this.#access.to(mail.beat(this.instance, this.#lease));
    this.#stopMail = mail.receive(this.instance, (text) => this.#take(text));
    this.#heartbeat.start();
  }

  async #beat(): Promise<void> {
    const name = await this.#access.quietly(this.#stores.mail.beat(this.instance, this.#lease));
    this.#storeName.current = name ?? this.#storeName.current;
    await this.events.settle();
    const { sessions } = this.#stores;
    const now = performance.now();
    if (now - this.#touched < Math.min(sessions.ttl / 4, LONGEST_TOUCH)) return;
    this.#touched = now;
    await this.events.renew();
    const inUse = [...this.#replicas.values()].filter(({ session }) => session.isBusy);
    const ids = inUse.map(({ session }) => session.sessionId!);
    if (ids.length === 0) return;
    const gone = (await this.#access.quietly(sessions.touch(ids))) ?? [];
    for (const id of gone) this.#replicas.get(id)?.session.retire();
  }

  /**
   * Returns the session with all changes by other instances. Restores it if this instance has no replica of it, or an
   * outdated one.
   */
  async #upToDate(
    id: string,
    kept: KeptSession,
    sender: Sender,
  ): Promise<LocalSession | Problem | undefined> {
    const replica = this.#replicas.get(id);
    if (replica && !replica.isOutdated(kept)) {
      await replica.update(kept);
      return replica.session;
    }
    let restoring = this.#restoring.get(id);
    if (restoring === undefined) {
      replica?.session.leave();
      restoring = this.#restore(id, kept, sender).finally(() => this.#restoring.delete(id));
      this.#restoring.set(id, restoring);
    }
    return restoring;
  }

  async #restore(
    id: string,
    kept: KeptSession,
    { address }: Sender,
  ): Promise<LocalSession | Problem | undefined> {
    const { record } = kept;
    const host = this.#host!;
    const revision = host.sessionRevisions.find((one: Revision) => one.id === record.revision);
    if (revision === undefined) return undefined;
    const { principal, opening } = record;
    const size = opening.length;
    const made = await host.restore({
      id,
      revision,
      principal,
      address,
      size,
      opening: JSON.parse(opening),
    });
    if ("status" in made) return made;
    const replica = new Replica(made, this.#lasting, true);
    this.#replicas.set(id, replica);
    await replica.update(kept);
    // The instances that held the session may be gone, and their change notifications with them.
    made.catchUp(kept.age).catch(this.#host!.streams.report);
    return made;
  }

  /**
   * Stores the lasting effect of a message that this instance handles, and returns true. Forwards any other message,
   * and returns false.
   */
  async #isOwn(session: LocalSession, message: unknown): Promise<boolean> {
    const recipient = recipientOf(message, session, this.instance);
    if (recipient === undefined) {
      await this.#saveLasting(session, message);
      return true;
    }
    const text = JSON.stringify({ kind: "message", session: session.sessionId!, message });
    const { mail } = this.#stores;
    // If the recipient is gone, the handler that is waiting for the response is gone too.
    await this.#access.to<unknown>(
      recipient === "all" ? mail.sendAll(text, this.instance) : mail.send(recipient, text),
    );
    return false;
  }

  async #saveLasting(session: LocalSession, message: unknown): Promise<void> {
    const id = session.sessionId!;
    const replica = this.#replicas.get(id);
    const change = replica?.changeBy(message);
    if (change === undefined) return;
    const { sessions } = this.#stores;
    const { adds, removes } = change;
    const version = await this.#access.to(
      adds === undefined ? sessions.forget(id, removes!) : sessions.remember(id, adds, MAX_LASTING),
    );
    replica!.record(change, version);
    await this.#notifyOthers({ kind: "changed", session: id });
  }

  #take(text: string): void {
    const received = parseInstanceMessage(text);
    if (received === undefined) return;
    if (received.kind === "relayed") {
      const { session: key, message, auth } = received;
      return this.#relayReceiver?.take({ session: key, message, auth });
    }
    const replica = this.#replicas.get(received.session);
    if (replica === undefined) return;
    const { session } = replica;
    if (received.kind === "message") session.take(received.message);
    else if (received.kind === "ended") session.end();
    else if (received.kind === "listening") replica.listensElsewhere(received.number);
    else if (received.kind === "taken") session.stream(received.stream)?.yield();
    else if (received.kind === "changed")
      this.#refresh(received.session, replica).catch(this.#host!.streams.report);
  }

  async #refresh(id: string, { version, session }: Replica): Promise<void> {
    const kept = await this.#access.quietly(this.#stores.sessions.use(id, version));
    if (isObject(kept) && this.#replicas.has(id))
      await this.#upToDate(id, kept as KeptSession, session);
  }

  /** Makes this instance the only one that sends the session's messages that belong to no request. */
  async #listen(
    session: LocalSession,
    exchange: Exchange,
    after: number | "unseen",
  ): Promise<void> {
    const id = session.sessionId!;
    const number = (await this.#access.to(this.#stores.sessions.count(id))) ?? 0;
    const reader = this.#readerOf(session, SESSION_STREAM);
    if ((await reader.begin(exchange, after)) === undefined) return;
    this.#replicas.get(id)?.listen(reader, number);
    await this.#notifyOthers({ kind: "listening", session: id, number });
  }

  #readerOf(session: LocalSession, stream: string): StreamReader {
    const context: ReaderContext = {
      stores: this.#stores,
      access: this.#access,
      settings: this.#host!.streams,
      interval: this.#lease / 3,
    };
    return new StreamReader(context, { session, stream, sees: stream === SESSION_STREAM });
  }

  async #notifyOthers(message: InstanceMessage): Promise<void> {
    const { mail } = this.#stores;
    await this.#access.quietly(mail.sendAll(JSON.stringify(message), this.instance));
  }

  async #send(instance: string, message: InstanceMessage): Promise<void> {
    if (instance === this.instance) return;
    await this.#access.quietly(this.#stores.mail.send(instance, JSON.stringify(message)));
  }
}

const silent = (): void => {};

function alreadyUsed(): TypeError {
  return new TypeError("These sessions belong to another handler: create new SharedSessions()");
}
