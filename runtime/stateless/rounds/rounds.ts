import {
  CapabilityError,
  HandlerError,
  LifecycleError,
  type Method,
  type Revision,
  SuspendedError,
  isObject,
} from "../../wire/index.js";
import { type Outbound, type RequestContext, unanswerable } from "../../engine/index.js";
import { warnIfDeprecated } from "../../rules/index.js";
import {
  type AnyHandler,
  type InputRequest,
  type RequestOptions,
  type RoundsOptions,
  type InputQuestions,
  type StepSource,
  isInputRequired,
} from "../../api/index.js";
import { DivergenceError } from "./divergence-error.js";
import { embeddedRow } from "./embedded-row.js";
import type { ResultQuestions } from "./memory.js";
import { identityOf, Remembrance } from "./remembrance.js";
import { Replay, type ReplayHost, type ReplayKnown } from "./replay.js";

type Requests = Readonly<Record<string, InputRequest>>;

/** Data that the client brings when it returns. */
interface Return {
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

/**
 * Questions to the client that travel inside results: each round of answers is a request of its own, on which the
 * handler runs again (MCP: multi round trips). Nothing is held here between rounds.
 */
export class Rounds {
  readonly #revision: Revision;
  readonly #remembrance: Remembrance;
  readonly #report: (error: Error) => void;
  /** Results that are ready to be sent. */
  readonly #made = new WeakSet<object>();

  /** @throws TypeError for options that make no sense */
  constructor(
    revision: Revision,
    info: unknown,
    options: RoundsOptions | undefined,
    report: (error: Error) => void,
  ) {
    this.#revision = revision;
    this.#report = report;
    this.#remembrance = new Remembrance(options, nameIn(info), report);
  }

  /** Steps of requests: a handler is called with the client's answers, and its questions are sent. */
  readonly steps: StepSource = ({ direction, row }) => {
    if (direction === "out" || row.kind !== "request" || row.role) return undefined;
    return {
      handle: row.inputResult && ((handler) => this.#answered(handler)),
      conclude: (result, context) => this.#conclude(result, context as RequestContext),
    };
  };

  /** Calls a handler with the answers if there are any. */
  #answered(handler: AnyHandler): AnyHandler {
    return (params, context) => {
      const { inputResponses, requestState } = (params ?? {}) as Return;
      const hasAnswers = inputResponses !== undefined || requestState !== undefined;
      return hasAnswers
        ? this.#call(handler, params as Return, context as RequestContext)
        : handler(params, context);
    };
  }

  /** @throws RpcError, perhaps later, if the state does not belong to this request */
  #call(handler: AnyHandler, params: Return, context: RequestContext): unknown {
    const { inputResponses, requestState } = params;
    if (requestState !== undefined) return this.#resume(handler, params, context);
    if (inputResponses) context.round = this.#replay(context, { answers: inputResponses });
    return handler(params, context);
  }

  /**
   * Returns the client's answer, or suspends the handler to ask for it.
   * @throws CapabilityError for what nobody can be asked now, RpcError for what this client cannot be asked,
   *   LifecycleError when the request was answered
   */
  async ask(
    { method, params, custom }: Outbound,
    options: RequestOptions | undefined,
    context: RequestContext,
  ): Promise<unknown> {
    options?.signal?.throwIfAborted();
    if (!context.isOpen) {
      throw new LifecycleError(`${method} was not asked: ${context.method} has its answer already`);
    }
    const row = custom ? undefined : embeddedRow(this.#revision, method);
    if (row === undefined || !context.row.inputResult) {
      const why = `${this.#revision.id} has no way to ask that during ${context.method}`;
      throw new CapabilityError(`${method} was not asked: ${why}`);
    }
    if (row.deprecated !== undefined && !unanswerable(row, params, context)) {
      warnIfDeprecated(row, this.#report);
    }
    context.binding.route(row).check?.(params);
    return this.#roundOf(context).ask(row, params, options?.key);
  }

  once<Value>(
    key: string,
    work: () => Value | Promise<Value>,
    context: RequestContext,
  ): Promise<Value> {
    return this.#roundOf(context).once(key, work);
  }

  /** Conclusion of a handler's return value, unless it is sent as it is. */
  #conclude(result: unknown, context: RequestContext): Promise<unknown> | undefined {
    const round = context.round as Replay | undefined;
    if (isInputRequired(result) && this.#made.has(result)) return undefined;
    if (round?.outcome) return round.outcome;
    round?.end();
    if (isInputRequired(result)) return this.#askFor(result, context);
    const divergence = round?.divergence;
    return divergence === undefined ? undefined : Promise.reject(new DivergenceError(divergence));
  }

  async #resume(handler: AnyHandler, params: Return, context: RequestContext): Promise<unknown> {
    const { inputResponses = {}, requestState, ...own } = params;
    const identity = identityOf(context);
    const memory = await this.#remembrance.recall(requestState!, identity, context.method);
    const { methods = {}, answers: earlier, state, requestState: raw } = memory.given ?? {};
    const answers = { ...earlier, ...this.#answersTo(methods, inputResponses, context) };
    const known = { identity, memory, responses: inputResponses, answers, state };
    const round = this.#replay(context, known);
    context.round = round;
    const given = { ...own, inputResponses: round.answers };
    return handler(raw === undefined ? given : { ...given, requestState: raw }, context);
  }

  /** Client's answers to the questions in the handler's result. */
  #answersTo(
    methods: Readonly<Record<string, string>>,
    responses: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Readonly<Record<string, unknown>> {
    const answers = Object.entries(methods).flatMap(([name, method]) => {
      const row = embeddedRow(this.#revision, method);
      if (!row || !Object.hasOwn(responses, name)) return [];
      if (unanswerable({ ...row, conditions: [] }, undefined, context)) return [];
      const answer = this.#read(row, responses[name]);
      return answer ? [[name, answer[0]] as const] : [];
    });
    return Object.fromEntries(answers);
  }

  /**
   * Reads the value for the handler from a response, in an array; undefined for an invalid answer
   * to this kind of question.
   */
  #read(row: Method, response: unknown): readonly [unknown] | undefined {
    if (!row.result!(response)) return undefined;
    const { projection } = this.#revision;
    return [projection ? projection.up(row, "result", response) : response];
  }

  /** Makes what is sent of the questions that a handler has returned. */
  async #askFor(result: InputQuestions, context: RequestContext): Promise<unknown> {
    const { row, method } = context;
    if (!row.inputResult) throw new Error(`there are no questions in results of ${method}`);
    const { inputRequests = {}, requestState, state, resultType: _, ...others } = result;
    const requests = inputRequests as Requests;
    const methods: [string, string][] = [];
    for (const [name, request] of Object.entries(requests)) {
      const asked = embeddedRow(this.#revision, request.method);
      if (!asked) throw new Error(`${request.method} is nothing that a client can be asked`);
      const refused = unanswerable(asked, request.params, context);
      if (refused) throw refused;
      warnIfDeprecated(asked, this.#report);
      methods.push([name, request.method]);
    }
    const remembered = { state, requestState: requestState as string | undefined };
    const given: ResultQuestions = { methods: Object.fromEntries(methods), ...remembered };
    return this.#interim(context, requests, { given, others });
  }

  /**
   * Builds the result that asks the client.
   * @param by - what the handler returned, if it asked by its result; absent when it asked by a call and is suspended
   */
  async #interim(
    context: RequestContext,
    requests: Requests,
    by?: { readonly given: ResultQuestions; readonly others: object },
  ): Promise<object> {
    const round = context.round as Replay | undefined;
    const { asked = [], named = 0, done = {}, memory } = round ?? {};
    const given = by ? by.given : carriedBy(round!);
    const isKept =
      !by ||
      given?.state !== undefined ||
      given?.requestState !== undefined ||
      asked.length > 0 ||
      !isEmpty(done);
    const hasRequests = !isEmpty(requests);
    if (!isKept && !hasRequests) throw new Error("it needs input, with neither requests nor state");
    const sent: Record<string, unknown> = { ...by?.others, resultType: "input_required" };
    if (hasRequests) sent["inputRequests"] = requests;
    if (isKept) {
      const facts = { asked, named, done, given };
      const identity = round?.identity ?? identityOf(context);
      sent["requestState"] = await this.#remembrance.keep(facts, memory, identity, context.method);
    }
    this.#made.add(sent);
    return sent;
  }

  #roundOf(context: RequestContext): Replay {
    context.round ??= this.#replay(context, {});
    return context.round as Replay;
  }

  #replay(context: RequestContext, known: Partial<ReplayKnown>): Replay {
    const host: ReplayHost = {
      isOpen: () => context.isOpen,
      assertCanAsk: (row, params) => {
        const refused = unanswerable(row, params, context);
        if (refused) throw refused;
      },
      read: (row, response) => this.#read(row, response),
      interim: (requests) => this.#interim(context, requests),
      blocked: (keys) => {
        const advice = "ask before or after it, not in it";
        const problem = `waits with ${keys.join(", ")} for the work of once() to end: ${advice}`;
        this.#report(new HandlerError(context.method, problem));
      },
      over: (outcome) => context.owner?.answer(context, outcome, new SuspendedError()),
    };
    return new Replay(host, {
      ...NOTHING_KNOWN,
      ...known,
      identity: known.identity ?? identityOf(context),
    });
  }
}

/**
 * Answers to earlier questions, which the handler finds again after other questions have come in
 * between.
 */
function carriedBy({ memory, found }: Replay): ResultQuestions | undefined {
  const given = memory?.given;
  if (given === undefined && isEmpty(found)) return undefined;
  return { ...given, methods: given?.methods && {}, answers: found };
}

/** Servers that share their keys do not take each other's states. */
function nameIn(info: unknown): string {
  return isObject(info) ? String(info["name"]) : "";
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

const NOTHING_KNOWN = { memory: undefined, responses: {}, answers: {}, state: undefined };
