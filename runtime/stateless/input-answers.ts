import {
  type Binding,
  Handling,
  type Peer,
  acceptsResult,
  invalidResult,
  refusal,
} from "../engine/index.js";
import {
  InputRefusedError,
  type Method,
  OverloadError,
  describeThrown,
  quote,
} from "../wire/index.js";
import type { InputRequest } from "./arrived-result.js";

/** A question and what answers it. */
interface Question {
  readonly key: string;
  readonly handling: Handling;
}

/** Answers the questions that a request was answered with, by the handlers of this side. */
export class InputAnswers {
  readonly #peer: Peer;
  readonly #binding: Binding;
  readonly #row: Method;
  readonly #limit: number;
  readonly #open = new Set<Handling>();

  /** @param limit - questions that a result may have */
  constructor(peer: Peer, binding: Binding, row: Method, limit: number) {
    this.#peer = peer;
    this.#binding = binding;
    this.#row = row;
    this.#limit = limit;
  }

  /**
   * The answers to all questions by their keys. When one is refused, the handlers of the others are aborted; when one
   * cannot be answered, none is called.
   *
   * @throws InputRefusedError, OverloadError
   */
  async to(asked: readonly [key: string, InputRequest][]): Promise<Record<string, unknown>> {
    if (asked.length > this.#limit) {
      throw new OverloadError(`${this.#row.method} was answered with ${asked.length} questions`);
    }
    const questions = asked.map(([key, request]) => this.#question(key, request));
    try {
      const answers = questions.map(async (one) => [one.key, await this.#answer(one)] as const);
      return Object.fromEntries(await Promise.all(answers));
    } catch (error) {
      this.abort(error);
      throw error;
    }
  }

  /** Nobody waits for answers any more. */
  abort(reason: unknown): void {
    for (const handling of this.#open) handling.abort(reason as Error);
    this.#open.clear();
  }

  #question(key: string, { method, params }: InputRequest): Question {
    const binding = this.#binding;
    const inbound = binding.embedded.get(method);
    if (inbound === undefined) {
      throw this.#refused(method, `this client has no handler for ${quote(method)}`);
    }
    const refused = refusal(inbound, params);
    if (refused) throw this.#refused(method, refused.message, refused);
    const { row } = inbound;
    const taken = binding.revision?.projection?.up(row, "params", params) ?? params;
    return { key, handling: new Handling(this.#peer, binding, inbound, undefined, taken) };
  }

  async #answer({ handling }: Question): Promise<unknown> {
    const { inbound, params } = handling;
    const { row, handler } = inbound;
    this.#open.add(handling);
    try {
      const given = await handler(params, handling);
      const { projection } = this.#binding.revision ?? {};
      const answer = projection?.down(row, "result", given, this.#peer.onloss) ?? given;
      if (acceptsResult(row, params, answer)) return answer;
      throw invalidResult(row, params, answer);
    } catch (error) {
      throw this.#refused(row.method, describeThrown(error), error);
    } finally {
      if (this.#open.delete(handling)) handling.finish();
    }
  }

  #refused(method: string, problem: string, cause?: unknown): InputRefusedError {
    return new InputRefusedError(this.#row.method, method, problem, cause);
  }
}
