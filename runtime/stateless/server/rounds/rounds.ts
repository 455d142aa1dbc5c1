import {
  type AnyHandler,
  type InputQuestions,
  type InputRequest,
  type RequestOptions,
  type RoundsOptions,
  type StepSource,
  isInputRequired,
} from "../../../api/index.js";
import { type Outbound, type RequestContext } from "../../../engine/index.js";
import { unanswerable } from "../../../engine/missing-capability/index.js";
import { warnIfDeprecated } from "../../../rules/index.js";
import {
  CapabilityError,
  LifecycleError,
  type Method,
  type Revision,
  isObject,
} from "../../../wire/index.js";
import { DivergenceError, Replay, type ReplayHost, type ReplayStart } from "./replay.js";
import { type RequestStates, type ResultInputs, identityOf, requestStates } from "./state.js";

type Requests = Readonly<Record<string, InputRequest>>;

interface Continuing {
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

/**
 * Handles input requests that are sent inside results. The answers arrive with a further request, for which the handler
 * is called again (MCP: multi round trips). The server keeps nothing between rounds.
 */
export class Rounds implements ReplayHost {
  readonly report: (error: Error) => void;
  readonly #revision: Revision;
  readonly #states: RequestStates;
  /** Results that have been completed with a `requestState` and can be sent. */
  readonly #ready = new WeakSet<object>();

  constructor(
    revision: Revision,
    info: unknown,
    options: RoundsOptions | undefined,
    report: (error: Error) => void,
  ) {
    this.#revision = revision;
    this.report = report;
    this.#states = requestStates(options, isObject(info) ? String(info["name"]) : "", report);
  }

  /** Steps that pass the client's answers to a request's handler and send the handler's input requests. */
  readonly steps: StepSource = ({ direction, row }) => {
    if (direction === "out" || row.kind !== "request" || row.role) return undefined;
    return {
      handle: row.inputResult && ((handler) => this.#answered(handler)),
      conclude: (result, context) => this.#conclude(result, context as RequestContext),
    };
  };

  /** Returns the client's answer, or suspends the handler in order to send the input request. */
  async ask(
    { method, params, custom }: Outbound,
    options: RequestOptions | undefined,
    context: RequestContext,
  ): Promise<unknown> {
    options?.signal?.throwIfAborted();
    if (!context.isOpen) {
      throw new LifecycleError(
        `${method} was not sent: ${context.method} has already been answered`,
      );
    }
    const row = custom ? undefined : this.#embedded(method);
    if (row === undefined || !context.row.inputResult) {
      const why = `${this.#revision.id} does not allow it during ${context.method}`;
      throw new CapabilityError(`${method} was not sent: ${why}`);
    }
    if (row.deprecated !== undefined && !unanswerable(row, params, context)) {
      warnIfDeprecated(row, this.report);
    }
    context.binding.route(row).check?.(params);
    return this.#replayOf(context).ask(row, params, options?.key);
  }

  once<Value>(
    key: string,
    work: () => Value | Promise<Value>,
    context: RequestContext,
  ): Promise<Value> {
    return this.#replayOf(context).once(key, work);
  }

  read(row: Method, response: unknown): readonly [unknown] | undefined {
    if (!row.result!(response)) return undefined;
    const { projection } = this.#revision;
    return [projection?.up(row, "result")?.(response) ?? response];
  }

  /**
   * Builds a result with input requests.
   *
   * @param by - values from the handler's own result; absent if the handler was suspended
   */
  async interim(
    context: RequestContext,
    requests: Requests,
    by?: { readonly given: ResultInputs; readonly others: object },
  ): Promise<object> {
    const replay = context.round as Replay | undefined;
    const { asked = [], named = 0, done = {} } = replay?.progress ?? {};
    const given = by ? by.given : carriedBy(replay!);
    const hasState =
      !by ||
      given?.state !== undefined ||
      given?.requestState !== undefined ||
      asked.length > 0 ||
      !isEmpty(done);
    const hasRequests = !isEmpty(requests);
    if (!hasState && !hasRequests) {
      throw new Error("it needs input, with neither requests nor state");
    }
    const sent: Record<string, unknown> = { ...by?.others, resultType: "input_required" };
    if (hasRequests) sent["inputRequests"] = requests;
    if (hasState) {
      const progress = { asked, named, done, given };
      const identity = replay?.identity ?? identityOf(context);
      const { method } = context;
      sent["requestState"] = await this.#states.write(progress, replay?.before, identity, method);
    }
    this.#ready.add(sent);
    return sent;
  }

  #answered(handler: AnyHandler): AnyHandler {
    return (params, given) => {
      const context = given as RequestContext;
      const { inputResponses, requestState } = (params ?? {}) as Continuing;
      if (requestState !== undefined) return this.#resume(handler, params as Continuing, context);
      if (inputResponses) context.round = this.#replay(context, { answers: inputResponses });
      return handler(params, context);
    };
  }

  async #resume(
    handler: AnyHandler,
    params: Continuing,
    context: RequestContext,
  ): Promise<unknown> {
    const { inputResponses = {}, requestState, ...own } = params;
    const identity = identityOf(context);
    const state = await this.#states.read(requestState!, identity, context.method);
    const { methods = {}, answers: earlier, requestState: raw } = state.given ?? {};
    const answers = { ...earlier, ...this.#answersTo(methods, inputResponses, context) };
    const replay = this.#replay(context, { identity, state, responses: inputResponses, answers });
    context.round = replay;
    const given = { ...own, inputResponses: replay.answers };
    return handler(raw === undefined ? given : { ...given, requestState: raw }, context);
  }

  /**
   * Returns the client's answers to the input requests in the handler's previous result. Invalid answers, and answers
   * to requests that the client's capabilities do not permit, are omitted.
   */
  #answersTo(
    methods: Readonly<Record<string, string>>,
    responses: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Readonly<Record<string, unknown>> {
    const answers = Object.entries(methods).flatMap(([name, method]) => {
      const row = this.#embedded(method);
      if (!row || !Object.hasOwn(responses, name)) return [];
      if (unanswerable({ ...row, conditions: [] }, undefined, context)) return [];
      const answer = this.read(row, responses[name]);
      return answer ? [[name, answer[0]] as const] : [];
    });
    return Object.fromEntries(answers);
  }

  /**
   * Returns the result to send in place of a handler's return value, or undefined if the return value is sent
   * unchanged.
   */
  #conclude(result: unknown, context: RequestContext): Promise<unknown> | undefined {
    const replay = context.round as Replay | undefined;
    const isInput = isInputRequired(result);
    if (isInput && this.#ready.has(result)) return undefined;
    if (replay?.outcome) return replay.outcome;
    replay?.end();
    if (isInput) return this.#fromResult(result, context);
    const divergence = replay?.divergence;
    return divergence === undefined ? undefined : Promise.reject(new DivergenceError(divergence));
  }

  async #fromResult(result: InputQuestions, context: RequestContext): Promise<unknown> {
    const { row, method } = context;
    if (!row.inputResult) throw new Error(`results of ${method} cannot request input`);
    const { inputRequests = {}, requestState, state, resultType: _, ...others } = result;
    const requests = inputRequests as Requests;
    const methods: [string, string][] = [];
    for (const [name, request] of Object.entries(requests)) {
      const asked = this.#embedded(request.method);
      if (!asked) throw new Error(`${request.method} is not a request that a client accepts`);
      const refused = unanswerable(asked, request.params, context);
      if (refused) throw refused;
      warnIfDeprecated(asked, this.report);
      methods.push([name, request.method]);
    }
    const kept = { state, requestState: requestState as string | undefined };
    const given: ResultInputs = { methods: Object.fromEntries(methods), ...kept };
    return this.interim(context, requests, { given, others });
  }

  #embedded(method: string): Method | undefined {
    const row = this.#revision.methods.get(method);
    return row?.channel === "embedded" && row.from !== "client" ? row : undefined;
  }

  #replayOf(context: RequestContext): Replay {
    context.round ??= this.#replay(context, {});
    return context.round as Replay;
  }

  #replay(context: RequestContext, start: Partial<ReplayStart>): Replay {
    return new Replay(this, context, { ...start, identity: start.identity ?? identityOf(context) });
  }
}

/**
 * Returns the answers to the handler's earlier results, and its state, which a suspended handler receives again in the
 * next round. Returns undefined if there are neither.
 */
function carriedBy({ before, found }: Replay): ResultInputs | undefined {
  const given = before?.given;
  if (given === undefined && isEmpty(found)) return undefined;
  return { ...given, methods: given?.methods && {}, answers: found };
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
