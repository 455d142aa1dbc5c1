import { type Abortable, type Timed, quiet } from "../ground/index.js";
import { InvalidMessageError, OverloadError, RequestTimeoutError } from "../wire/index.js";
import type { RequestOptions } from "../api/index.js";
import type { Attempt, PendingRequest } from "../engine/index.js";
import { type InputRequired, isInputRequired } from "./input-required.js";
import type { InputAnswers } from "./input-answers.js";

/** Milliseconds before a server is asked again that wanted nothing but that: the first time at once. */
const PAUSES = [0, 100, 250, 500, 1000, 2000] as const;

export interface RoundTripOptions {
  /** The request as it was sent first. */
  readonly request: PendingRequest;
  readonly send: Attempt;
  readonly answers: InputAnswers;
}

/** A request that was answered with questions, on its way to its final result; its time counts from its beginning. */
export class RoundTrip implements Timed, Abortable {
  readonly deadline: number;
  readonly #given: RoundTripOptions;
  readonly #ended: Promise<never>;
  #end!: (reason: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of consecutive results that only asked for the request to be repeated. */
  #pauses = 0;

  constructor(given: RoundTripOptions) {
    const { started, times } = given.request;
    this.#given = given;
    this.deadline = started + Math.max(times.timeout, times.maxTotalTimeout);
    this.#ended = quiet(
      new Promise((_, reject) => {
        this.#end = reject;
      }),
    );
  }

  /**
   * @throws OverloadError after too many rounds, RequestTimeoutError after too much time, InputRefusedError when a
   *   question is not answered
   */
  async run(first: InputRequired, limit: number): Promise<unknown> {
    const { request, send } = this.#given;
    const { row } = request;
    const params = withoutRound(request.params);
    let asked = first;
    for (let round = 1; round <= limit; round += 1) {
      const more = await Promise.race([this.#answer(asked), this.#ended]);
      const result = await send({ row, params: { ...params, ...more } }, this.#timeLeft());
      if (!isInputRequired(result)) return result;
      asked = result;
    }
    throw new OverloadError(`${row.method} has no result after ${limit} rounds of questions`);
  }

  expire(): void {
    const { row, started } = this.#given.request;
    const waited = Math.round(this.deadline - started);
    const what = "no final result came";
    this.abort(new RequestTimeoutError(row.method, waited, what, "maxTotalTimeout"));
  }

  abort(reason: unknown): void {
    clearTimeout(this.#timer);
    this.#given.answers.abort(reason);
    this.#end(reason);
  }

  /** Members that are added to the request when it is sent again. */
  async #answer({ inputRequests = {}, requestState }: InputRequired): Promise<object> {
    const state = requestState === undefined ? {} : { requestState };
    const questions = Object.entries(inputRequests);
    if (questions.length > 0) {
      this.#pauses = 0;
      const inputResponses = await quiet(this.#given.answers.to(questions));
      return { inputResponses, ...state };
    }
    if (requestState === undefined) {
      const { method } = this.#given.request.row;
      throw new InvalidMessageError(
        `${method} was answered with a request for input that asks nothing`,
      );
    }
    await this.#pause();
    return state;
  }

  async #pause(): Promise<void> {
    const milliseconds = PAUSES[Math.min(this.#pauses, PAUSES.length - 1)]!;
    this.#pauses += 1;
    if (milliseconds === 0) return;
    await new Promise((resolve) => {
      this.#timer = setTimeout(resolve, milliseconds * (0.5 + Math.random() / 2));
    });
  }

  #timeLeft(): RequestOptions {
    const { options, times } = this.#given.request;
    const left = Math.max(0, this.deadline - performance.now());
    return { ...options, timeout: Math.min(times.timeout, left), maxTotalTimeout: left };
  }
}

/** The parameters as they were without any answers: those of the last round replace all before. */
function withoutRound(params: unknown): object {
  const {
    inputResponses: _,
    requestState: __,
    ...rest
  } = (params ?? {}) as Record<string, unknown>;
  return rest;
}
