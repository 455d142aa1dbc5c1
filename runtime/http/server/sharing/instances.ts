import { type Auth, isObject } from "../../../wire/index.js";
import { reporter } from "../handler-state.js";
import { StoreError } from "../requests/problem.js";
import type { LocalSession } from "../sessions/session-sharing.js";

/** Milliseconds without a failure after which an outage is over, so that the next failure is reported. */
const RECOVERY = 1000;

/** Access to the stores: their failures become errors of one kind, and each outage is reported once. */
export class StoreAccess {
  readonly #timeout: number;
  readonly #report: (error: Error) => void;
  /** Time of the last failure of the current outage, on the clock of `performance.now()`. */
  #failed: number | undefined;
  readonly #underWay = new Set<Promise<unknown>>();

  /** @param timeout - milliseconds that a store may take */
  constructor(timeout: number, onerror: ((error: Error) => void) | undefined) {
    this.#timeout = timeout;
    this.#report = reporter(onerror);
  }

  /** @throws StoreError */
  async to<Value>(work: Promise<Value>): Promise<Value> {
    const bounded = this.#bounded(work);
    this.#underWay.add(bounded);
    try {
      const value = await bounded;
      this.#worked();
      return value;
    } catch (error) {
      throw this.#failure(error as Error);
    } finally {
      this.#underWay.delete(bounded);
    }
  }

  /** @returns undefined also after a failure */
  async quietly<Value>(work: Promise<Value>): Promise<Value | undefined> {
    try {
      return await this.to(work);
    } catch {
      return undefined;
    }
  }

  /** Waits until no call is in progress, so that the stores may be closed. */
  async finish(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  #bounded<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const late = (): void =>
        reject(new Error(`no response within ${this.#timeout} ms (timeout)`));
      const timer = setTimeout(late, this.#timeout);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  #worked(): void {
    if (this.#failed !== undefined && performance.now() - this.#failed > RECOVERY)
      this.#failed = undefined;
  }

  #failure(cause: Error): StoreError {
    const error = new StoreError(`The store of shared sessions has failed: ${cause.message}`, {
      cause,
    });
    const isKnown = this.#failed !== undefined;
    this.#failed = performance.now();
    if (!isKnown) this.#report(error);
    return error;
  }
}

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Random lower-case letters and digits. */
export function randomName(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return [...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** Number of names of other stores that are reported. */
const MAX_REPORTED = 5;

/**
 * Name of the store of this instance. Ids of sessions contain it, so that an instance with another store recognizes them.
 */
export class StoreName {
  /** Name of the store; absent until the first heartbeat, and if the store has none. */
  current: string | undefined;
  readonly #report: (error: Error) => void;
  readonly #reported = new Set<string>();

  constructor(report: (error: Error) => void) {
    this.#report = report;
  }

  /** Adds the name to an id. */
  markedId(id: string): string {
    return this.current === undefined ? id : `${id}.${this.current}`;
  }

  /** Reports an unknown id that another store's name is in: once for each name, and for a few of them. */
  checkUnknown(id: string): void {
    const [, name] = /[0-9a-f]{12}\.([0-9a-z]{8,64})$/.exec(id) ?? [];
    if (name === undefined || this.current === undefined || name === this.current) return;
    if (this.#reported.has(name) || this.#reported.size >= MAX_REPORTED) return;
    this.#reported.add(name);
    const advice =
      "check that all instances use the same store (the same Redis server and prefix), unless it has lost its data";
    this.#report(
      new Error(`A client sent the id of a session that was opened with another store: ${advice}`),
    );
  }
}

/** Message about a session from one instance to another. */
export type InstanceMessage = { readonly session: string } &
  /** A message of a client for a session of HTTP+SSE at the other instance. */
  (
    | { readonly kind: "relayed"; readonly message: unknown; readonly auth?: Auth | undefined }
    | { readonly kind: "message"; readonly message: unknown }
    /** The lasting messages of the session have changed. */
    | { readonly kind: "changed" }
    | { readonly kind: "ended" }
    /** The client now listens at the sender; of two senders, the one with the higher number is right. */
    | { readonly kind: "listening"; readonly number: number }
    /** The client reads a stream at the sender that the receiver writes. */
    | { readonly kind: "taken"; readonly stream: string }
  );

/** @returns undefined if the text is not a message of this version */
export function parseInstanceMessage(text: string): InstanceMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isObject(message) && typeof message["session"] === "string"
      ? (message as InstanceMessage)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Name of the instance that has to handle a message from a client; `all` if it may be any of the others, undefined if it
 * is this one.
 */
export function recipientOf(
  message: unknown,
  session: LocalSession,
  here: string,
): string | undefined {
  if (!isObject(message)) return undefined;
  const { id, method, params } = message;
  if (method === undefined) return instanceIn(id, here);
  if (id !== undefined || typeof method !== "string" || !isObject(params)) return undefined;
  const role = session.revision?.methods.get(method)?.role;
  if (role === "progress") return instanceIn(params["progressToken"], here);
  if (role === "cancelled") return session.isWaiting(params["requestId"]) ? undefined : "all";
  return undefined;
}

/** Instance that created the id of a request, if it is not this one. */
function instanceIn(id: unknown, here: string): string | undefined {
  if (typeof id !== "string") return undefined;
  const [, instance] = /^([0-9a-z]{8})-[0-9a-z]{4}-\d+$/.exec(id) ?? [];
  return instance === here ? undefined : instance;
}
