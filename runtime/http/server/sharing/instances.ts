import { oncePerKey, within } from "../../../ground/index.js";
import { type Auth, isObject } from "../../../wire/index.js";
import { reporter } from "../../../engine/index.js";
import { StoreError } from "../requests/problem.js";
import type { LocalSession } from "../sessions/session-sharing.js";

/**
 * The time, in milliseconds, that must pass after a failure before a successful call ends the outage. The next failure
 * is then reported again.
 */
const RECOVERY = 1000;

const LATE = Symbol("late");

/** Gives access to the stores. Their failures become `StoreError`s, and each outage is reported once. */
export interface StoreAccess {
  to<Value>(work: Promise<Value>): Promise<Value>;
  /** Waits for work whose failure has no consequences. Returns undefined if it fails. */
  quietly<Value>(work: Promise<Value>): Promise<Value | undefined>;
  /** Waits until no call is in progress, so that the stores may be closed. */
  finish(): Promise<void>;
}

export function storeAccess(
  timeout: number,
  onerror: ((error: Error) => void) | undefined,
): StoreAccess {
  const report = reporter(onerror);
  const underWay = new Set<Promise<unknown>>();
  let failed: number | undefined;
  const bounded = async <Value>(work: Promise<Value>): Promise<Value> => {
    const value = await within(timeout, work, LATE);
    if (value === LATE) throw new Error(`no response within ${timeout} ms (timeout)`);
    return value;
  };
  const failure = (cause: Error): StoreError => {
    const text = `The store of shared sessions has failed: ${cause.message}`;
    const error = new StoreError(text, { cause });
    const isKnown = failed !== undefined;
    failed = performance.now();
    if (!isKnown) report(error);
    return error;
  };
  const access: StoreAccess = {
    async to(work) {
      const call = bounded(work);
      underWay.add(call);
      try {
        const value = await call;
        if (failed !== undefined && performance.now() - failed > RECOVERY) failed = undefined;
        return value;
      } catch (error) {
        throw failure(error as Error);
      } finally {
        underWay.delete(call);
      }
    },
    async quietly(work) {
      try {
        return await access.to(work);
      } catch {
        return undefined;
      }
    },
    async finish() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
  return access;
}

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

export function randomName(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return [...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

const MAX_REPORTED = 5;

/**
 * The name of this instance's store. Session ids contain it, so that an instance with a different store recognizes ids
 * that are not its own.
 */
export interface StoreName {
  /** The store's name. Absent until the first heartbeat, and if the store has no name. */
  current: string | undefined;
  markedId(id: string): string;
  /**
   * Reports an unknown id that contains another store's name. Each name is reported once, and only a few names are
   * reported.
   */
  checkUnknown(id: string): void;
}

export function storeName(report: (error: Error) => void): StoreName {
  const isNew = oncePerKey(MAX_REPORTED);
  const own: StoreName = {
    current: undefined,
    markedId: (id) => (own.current === undefined ? id : `${id}.${own.current}`),
    checkUnknown(id) {
      const [, name] = /[0-9a-f]{12}\.([0-9a-z]{8,64})$/.exec(id) ?? [];
      if (name === undefined || own.current === undefined || name === own.current) return;
      if (!isNew(name)) return;
      const advice =
        "check that all instances use the same store (the same Redis server and prefix), unless it has lost its data";
      report(
        new Error(
          `A client sent the id of a session that was opened with another store: ${advice}`,
        ),
      );
    },
  };
  return own;
}

export type InstanceMessage = { readonly session: string } &
  /** A client's message for an HTTP+SSE session at the receiving instance. */
  (
    | { readonly kind: "relayed"; readonly message: unknown; readonly auth?: Auth | undefined }
    | { readonly kind: "message"; readonly message: unknown }
    /** The session's lasting messages have changed. */
    | { readonly kind: "changed" }
    | { readonly kind: "ended" }
    /**
     * The client now listens at the sending instance. If two instances claim that, the one with the
     * higher number is right.
     */
    | { readonly kind: "listening"; readonly number: number }
    /** The client now reads a stream at the sending instance, while the receiving instance writes that stream. */
    | { readonly kind: "taken"; readonly stream: string }
  );

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
 * Returns the name of the instance that has to handle a client's message: `all` if it may be any of the others,
 * undefined if it is this one.
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

/**
 * Returns the name of the instance that created a request id. Returns undefined if it is this instance, or if the id
 * contains no name.
 */
function instanceIn(id: unknown, here: string): string | undefined {
  if (typeof id !== "string") return undefined;
  const [, instance] = /^([0-9a-z]{8})-[0-9a-z]{4}-\d+$/.exec(id) ?? [];
  return instance === here ? undefined : instance;
}
