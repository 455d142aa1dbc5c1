import type { RoundsOptions } from "../../../api/index.js";
import { type RequestContext, invalidParams } from "../../../engine/index.js";
import { toBase64Url } from "../../../ground/index.js";
import { InvalidMessageError, type RpcError, UnavailableError } from "../../../wire/index.js";
import { randomBytes, sealOf } from "./seal.js";

/** An input request that a handler has sent with `context.request`. */
export interface InputRecord {
  /** The key of the input request, unique within the client's request. */
  readonly key: string;
  readonly method: string;
  /** A digest of the method and its parameters. */
  readonly digest: string;
  /** The answer as the only element of an array; absent as long as there is no answer. */
  readonly answer?: readonly [unknown];
}

/** The input requests in a handler's result, and the values that the handler receives in the next round. */
export interface ResultInputs {
  /** Maps the keys of the input requests to their methods; absent if this round's result had no input requests. */
  readonly methods?: Readonly<Record<string, string>> | undefined;
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly state?: unknown;
  readonly requestState?: string | undefined;
}

export interface RoundProgress {
  readonly asked: readonly InputRecord[];
  readonly named: number;
  /**
   * Maps keys to the outcomes of `context.once`. Each outcome is the only element of an array; an empty array stands
   * for undefined.
   */
  readonly done: Readonly<Record<string, readonly unknown[]>>;
  readonly given?: ResultInputs | undefined;
}

/** A request's state between rounds, which the client carries as `requestState`. */
export interface RoundState extends RoundProgress {
  readonly id: string;
  readonly round: number;
  /** The time at which the state expires, in milliseconds since 1970. */
  readonly expires: number;
}

const HOUR = 3_600_000;
const ID_BYTES = 16;

const NOT_SEALED_HERE =
  "it was not sealed here for this request; several instances need the same rounds.keys, " +
  "and one server and handler for all requests";

/** Writes and reads the `requestState` of rounds. The state is encrypted, and is valid for one request only. */
export interface RequestStates {
  /**
   * Encrypts the state for the next round.
   * @throws RpcError after too many rounds; Error if the state is too long
   */
  write(
    progress: RoundProgress,
    before: RoundState | undefined,
    identity: string,
    method: string,
  ): Promise<string>;
  /**
   * Decrypts and checks a state that a client has returned.
   *
   * @throws UnavailableError if `redeem` fails; RpcError if the state is invalid, has expired, was used before, or
   *   belongs to another request. That error is the same in all these cases; `onerror` receives the reason.
   */
  read(sealed: string, identity: string, method: string): Promise<RoundState>;
}

/**
 * Creates the object that writes and reads states.
 *
 * @param server - the server's name, so that servers that share keys do not accept each other's states
 */
export function requestStates(
  options: RoundsOptions | undefined,
  server: string,
  report: (error: Error) => void,
): RequestStates {
  const { keys, redeem } = options ?? {};
  const { timeToAnswer = HOUR, maxRounds = 20, maxStateLength = 65_536 } = options ?? {};
  const seal = sealOf(keys);
  const owner = JSON.stringify(server);
  const assertFits = ({ length }: string): void => {
    if (length <= maxStateLength) return;
    const size = `${length} characters, of ${maxStateLength} (rounds.maxStateLength)`;
    const advice = "store large values elsewhere, and keep their keys in the state";
    throw new Error(`the state between rounds is too long, ${size}: ${advice}`);
  };
  const refusal = (method: string, why: string): RpcError => {
    report(new InvalidMessageError(`The requestState of a request ${method} was refused: ${why}`));
    return invalidParams(
      "the requestState is not valid for this request: send the request again, without a requestState",
    );
  };
  const isFirstUse = async (id: string, expires: number): Promise<boolean> => {
    try {
      return redeem === undefined || (await redeem(id, expires));
    } catch (error) {
      throw new UnavailableError("the store of used requestStates", error);
    }
  };
  return {
    async write(progress, before, identity, method) {
      const round = (before?.round ?? 0) + 1;
      if (round > maxRounds) throw refusal(method, `there were ${round - 1} rounds`);
      const id = toBase64Url(randomBytes(ID_BYTES));
      const expires = Math.min(Date.now() + timeToAnswer, Number.MAX_SAFE_INTEGER);
      const state: RoundState = { id, round, expires, ...progress };
      const text = JSON.stringify(state);
      // The encrypted text would be even longer, so there is no need to encrypt text that is already too long.
      assertFits(text);
      const sealed = await seal.seal(text, owner + identity);
      assertFits(sealed);
      return sealed;
    },
    async read(sealed, identity, method) {
      if (sealed.length > maxStateLength) throw refusal(method, "it is too long");
      const text = await seal.open(sealed, owner + identity);
      if (text === undefined) throw refusal(method, NOT_SEALED_HERE);
      const state = JSON.parse(text) as RoundState;
      const { id, round, expires } = state;
      if (expires <= Date.now()) throw refusal(method, "it has expired");
      if (round > maxRounds) throw refusal(method, `there were ${round} rounds`);
      if (!(await isFirstUse(id, expires))) throw refusal(method, "it was used before");
      return state;
    },
  };
}

interface RoundMembers {
  readonly _meta?: unknown;
  readonly inputResponses?: unknown;
  readonly requestState?: unknown;
}

/**
 * Returns the identity that all rounds of a request share: its revision, sender and method, and its parameters except
 * for those that differ between rounds.
 */
export function identityOf({ binding, method, auth, params }: RequestContext): string {
  const members = (params ?? {}) as RoundMembers;
  const { _meta, inputResponses: _, requestState: __, ...subject } = members;
  return canonical([binding.revision!.id, auth?.principal ?? null, method, subject]);
}

/** Marks the names of numbers that JSON lacks, such as NaN. A string that begins with it is marked with another one. */
const MARK = "\0";

/**
 * Writes a value as JSON in such a way that the order of members does not matter. Numbers that JSON lacks do not become
 * null, so that they remain distinct.
 *
 * @throws TypeError or RangeError if the value cannot be written as JSON
 */
export function canonical(value: unknown): string {
  return JSON.stringify(value, sorted) ?? "";
}

export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(digest));
}

/**
 * A replacer for JSON.stringify that sorts the properties of objects. It copies only objects whose properties are out
 * of order.
 */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value === "string") return value.startsWith(MARK) ? `${MARK}${value}` : value;
  if (typeof value === "number") return Number.isFinite(value) ? value : `${MARK}${value}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  let at = 1;
  while (at < names.length && names[at - 1]! < names[at]!) at += 1;
  if (at >= names.length) return value;
  const members = value as Record<string, unknown>;
  return Object.fromEntries(names.toSorted().map((name) => [name, members[name]]));
}
