import { type Binding, RequestContext, type Connection } from "../engine/index.js";
import { warnIfDeprecated } from "../rules/index.js";
import { InputRefusedError, OverloadError, describeThrown, quote } from "../wire/index.js";
import type { RelatedCall } from "../api/index.js";
import type { InputRequest } from "./input-required.js";

/** Question of the server, with the context of the handler that answers it. */
interface Question {
  readonly key: string;
  readonly context: RequestContext;
}

/** Answers the questions that a request was answered with, by the handlers of this side. */
export class InputAnswers {
  readonly #connection: Connection;
  readonly #binding: Binding;
  readonly #call: RelatedCall;
  readonly #limit: number;
  readonly #open = new Set<RequestContext>();

  /**
   * @param call - request that was answered with the questions
   * @param limit - questions that a result may have
   */
  constructor(connection: Connection, binding: Binding, call: RelatedCall, limit: number) {
    this.#connection = connection;
    this.#binding = binding;
    this.#call = call;
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
      const { method } = this.#call;
      throw new OverloadError(`${method} was answered with ${asked.length} questions`);
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

  /** Aborts all handlers: nobody waits for answers any more. */
  abort(reason: unknown): void {
    for (const context of this.#open) context.abort(reason as Error);
    this.#open.clear();
  }

  #question(key: string, { method, params }: InputRequest): Question {
    const binding = this.#binding;
    const route = binding.embedded.get(method);
    if (route === undefined) {
      throw this.#refused(method, `this client has no handler for ${quote(method)}`);
    }
    warnIfDeprecated(route.row, this.#connection.definition.report);
    const connection = this.#connection;
    const message = { method, params };
    const context = new RequestContext(connection.under(binding), connection, message);
    context.route = route;
    context.call = this.#call;
    try {
      context.params = route.readParams(params, context);
    } catch (error) {
      throw this.#refused(method, describeThrown(error), error);
    }
    return { key, context };
  }

  async #answer({ context }: Question): Promise<unknown> {
    const { route, params } = context;
    const { row } = route;
    this.#open.add(context);
    try {
      const given = await route.handler!(params, context);
      return route.writeResult(given, context);
    } catch (error) {
      throw this.#refused(row.method, describeThrown(error), error);
    } finally {
      if (this.#open.delete(context)) context.finish();
    }
  }

  #refused(method: string, problem: string, cause?: unknown): InputRefusedError {
    return new InputRefusedError(this.#call.method, method, problem, cause);
  }
}
