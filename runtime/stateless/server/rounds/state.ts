import type { RoundsOptions } from "../../../api/index.js";
import { type RequestContext, invalidParams } from "../../../engine/index.js";
import { toBase64Url } from "../../../ground/index.js";
import { InvalidMessageError, type RpcError, UnavailableError } from "../../../wire/index.js";
import { randomBytes, sealOf } from "./seal.js";

/** Input request that a handler has sent with `context.request`. */
export interface InputRecord {
  /** Key of the input request, unique within the client's request. */
  readonly key: string;
  readonly method: string;
  /** Digest of the method and the parameters. */
  readonly digest: string;
  /** Answer as the only element of an array; absent while there is no answer. */
  readonly answer?: readonly [unknown];
}

/** Input requests in a handler's result, and values that the handler receives in the next round. */
export interface ResultInputs {
  /** Methods of the input requests by their keys; absent if the result of this round had none. */
  readonly methods?: Readonly<Record<string, string>> | undefined;
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly state?: unknown;
  readonly requestState?: string | undefined;
}

export interface RoundProgress {
  readonly asked: readonly InputRecord[];
  readonly named: number;
  /** Outcomes of `context.once` by key. Each is the only element of an array; an empty array stands for undefined. */
  readonly done: Readonly<Record<string, readonly unknown[]>>;
  readonly given?: ResultInputs | undefined;
}

/** State of a request between rounds, which the client carries as `requestState`. */
export interface RoundState extends RoundProgress {
  readonly id: string;
  readonly round: number;
  /** Time of expiry, in milliseconds since 1970. */
  readonly expires: number;
}

const HOUR = 3_600_000;
const ID_BYTES = 16;

const NOT_SEALED_HERE =
  "it was not sealed here for this request; several instances need the same rounds.keys, " +
  "and one server and handler for all requests";

/** Writer and reader of the `requestState` of rounds: the state, encrypted so that it is valid for one request only. */
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
   * Decrypts and checks the state that a client has returned.
   * @throws UnavailableError if `redeem` fails; RpcError if the state is invalid, has expired, was used before, or
   *   belongs to another request. That error is the same in all of these cases; `onerror` receives the reason.
   */
  read(sealed: string, identity: string, method: string): Promise<RoundState>;
}

/**
 * Creates the writer and reader of states.
 * @param server - name of the server: servers that share keys do not accept each other's states
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
      // The encrypted text would be even longer, so text that is too long need not be encrypted.
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
 * Returns the identity that all rounds of a request share: its revision, its sender, its method, and its parameters
 * apart from those that differ between rounds.
 */
export function identityOf({ binding, method, auth, params }: RequestContext): string {
  const members = (params ?? {}) as RoundMembers;
  const { _meta, inputResponses: _, requestState: __, ...subject } = members;
  return canonical([binding.revision!.id, auth?.principal ?? null, method, subject]);
}

/** Mark that precedes the names of numbers that JSON lacks, such as NaN, and strings that begin with this mark. */
const MARK = "\0";

/**
 * Writes a value as JSON in which the order of members does not matter. Numbers that JSON lacks do not become null,
 * so that they remain distinct.
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
 * Replacer for JSON.stringify that sorts the members of objects; it copies only objects whose members are out of
 * order.
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
