import { InvalidMessageError, type RpcError, UnavailableError } from "../../wire/index.js";
import { type RequestContext, invalidParams } from "../../engine/index.js";
import { toBase64Url } from "../../ground/index.js";
import { canonical } from "./canonical.js";
import type { Memory } from "./memory.js";
import { type RoundsOptions, assertRounds } from "../../api/index.js";
import { randomBytes, Seal } from "./seal.js";

const HOUR = 3_600_000;
const ID_BYTES = 16;
/** Members of the parameters of a request that are others each time that it is sent. */
const EACH_TIME: ReadonlySet<string> = new Set(["_meta", "inputResponses", "requestState"]);

const NOT_SEALED_HERE =
  "it was not sealed here for this request; several instances need the same rounds.keys, " +
  "and the server and its handler are made once, not for each request";

/** Facts to remember of a round, apart from its time. */
export type Facts = Omit<Memory, "id" | "round" | "expires">;

/** Has the client carry what has to be remembered between rounds, sealed for the one request that it belongs to. */
export class Remembrance {
  readonly #seal: Seal;
  readonly #timeToAnswer: number;
  readonly #maxRounds: number;
  readonly #maxLength: number;
  readonly #redeem: RoundsOptions["redeem"];
  /** Server that the states belong to. */
  readonly #owner: string;
  readonly #report: (error: Error) => void;

  /**
   * @param owner - name of the server
   * @throws TypeError for options that make no sense
   */
  constructor(
    options: RoundsOptions | undefined = {},
    owner: string,
    report: (error: Error) => void,
  ) {
    const { keys, timeToAnswer = HOUR, maxRounds = 20, maxStateLength = 65_536, redeem } = options;
    assertRounds(options);
    this.#seal = new Seal(keys);
    this.#timeToAnswer = timeToAnswer;
    this.#maxRounds = maxRounds;
    this.#maxLength = maxStateLength;
    this.#redeem = redeem;
    this.#owner = JSON.stringify(owner);
    this.#report = report;
  }

  /**
   * @param identity - identity of the request, see {@link identityOf}
   * @returns the `requestState`
   * @throws RpcError when there were too many rounds; Error when it is too much to remember
   */
  async keep(
    facts: Facts,
    before: Memory | undefined,
    identity: string,
    method: string,
  ): Promise<string> {
    const round = (before?.round ?? 0) + 1;
    if (round > this.#maxRounds) throw this.#refusal(method, `there were ${round - 1} rounds`);
    const id = toBase64Url(randomBytes(ID_BYTES));
    const expires = Math.min(Date.now() + this.#timeToAnswer, Number.MAX_SAFE_INTEGER);
    const memory: Memory = { id, round, expires, ...facts };
    const text = JSON.stringify(memory);
    this.#assertFits(text);
    const state = await this.#seal.seal(text, this.#owner + identity);
    this.#assertFits(state);
    return state;
  }

  /**
   * @throws UnavailableError when `redeem` fails; RpcError for what is not remembered, or not any more, or not of this request. It is the same in all
   *   these cases: which one it is, only `onerror` is told.
   */
  async recall(state: string, identity: string, method: string): Promise<Memory> {
    if (state.length > this.#maxLength) throw this.#refusal(method, "it is too long");
    const text = await this.#seal.open(state, this.#owner + identity);
    if (text === undefined) throw this.#refusal(method, NOT_SEALED_HERE);
    const memory = JSON.parse(text) as Memory;
    const { id, round, expires } = memory;
    if (expires <= Date.now()) throw this.#refusal(method, "it has expired");
    if (round > this.#maxRounds) throw this.#refusal(method, `there were ${round} rounds`);
    if (!(await this.#isFirstUse(id, expires))) throw this.#refusal(method, "it was used before");
    return memory;
  }

  async #isFirstUse(id: string, expires: number): Promise<boolean> {
    try {
      return this.#redeem === undefined || (await this.#redeem(id, expires));
    } catch (error) {
      throw new UnavailableError("the store of used requestStates", error);
    }
  }

  /** Refuses a text that is too long: the sealed form is longer still, and not worth the work. */
  #assertFits({ length }: string): void {
    if (length <= this.#maxLength) return;
    const size = `${length} characters, of ${this.#maxLength} (rounds.maxStateLength)`;
    const advice = "store what is large, and remember where it is";
    throw new Error(`what it remembers between rounds is too long, ${size}: ${advice}`);
  }

  #refusal(method: string, why: string): RpcError {
    this.#report(
      new InvalidMessageError(`The requestState of a request ${method} was refused: ${why}`),
    );
    return invalidParams(
      "the requestState is not valid for this request: send it anew, without one",
    );
  }
}

/** Identity that a request and its repetitions share: their sender and their subject. */
export function identityOf({ binding, method, auth, params }: RequestContext): string {
  const own = Object.entries(params ?? {}).filter(([name]) => !EACH_TIME.has(name));
  const who = auth?.principal ?? null;
  return canonical([binding.revision!.id, who, method, Object.fromEntries(own)]);
}
