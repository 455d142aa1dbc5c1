import {
  type InputRequest,
  type RelatedCall,
  isInputRequired,
  markSingleUse,
} from "../../api/index.js";
import {
  type OutgoingRequest,
  type Attempt,
  type Binding,
  type Connection,
  type Continuation,
  type OutboundRoute,
  type PendingRequest,
  type PendingRequests,
  RequestContext,
  closedHere,
  conversationUnder,
} from "../../engine/index.js";
import { type Abortable, aborts } from "../../ground/aborts/index.js";
import { type Timed, quiet } from "../../ground/index.js";
import { warnIfDeprecated } from "../../rules/index.js";
import {
  InvalidMessageError,
  OverloadError,
  RequestTimeoutError,
  describeThrown,
  isObject,
  quote,
} from "../../wire/index.js";
import { InputRefusedError } from "../../wire/client-errors/index.js";

export type InputRequests = Readonly<Record<string, InputRequest>>;

interface InputRequired {
  readonly inputRequests?: InputRequests;
  readonly requestState?: string;
}

const MAX_PAGES = 100;

/**
 * The continuations for a connection's requests: `full` answers input requests, and `manual` leaves them to the caller.
 * Both send a request again if its header fields were refused.
 */
export interface InputRounds {
  readonly full: Continuation;
  readonly manual: Continuation;
}

/**
 * Creates the continuations that take requests to their final results (MCP: multi round trips). A request whose header
 * fields were refused is sent again with other fields, and a request whose result contains input requests is sent again
 * with the answers.
 *
 * @param lacksFields - returns true for an error that refuses a request's header fields
 */
export function inputRounds(
  connection: Connection,
  binding: Binding,
  lacksFields: (request: PendingRequest, error: unknown) => boolean,
): InputRounds {
  const open = new Set<RoundTrip>();
  void connection.finished.then((error) => {
    for (const trip of open) trip.abort(error ?? closedHere());
  });
  const manual: Continuation = {
    refused: (request, error, requests) =>
      lacksFields(request, error) ? sentAfterList(request, requests, binding) : undefined,
  };
  const run = async (trip: RoundTrip, result: InputRequired): Promise<unknown> => {
    const { deadlines, limits } = connection.definition;
    const { signal } = trip.request;
    open.add(trip);
    deadlines.add(trip);
    if (signal) aborts.add(signal, trip);
    try {
      return markSingleUse(await trip.run(result, limits.rounds));
    } finally {
      open.delete(trip);
      deadlines.delete(trip);
      if (signal) aborts.delete(signal, trip);
    }
  };
  const answered: Continuation["answered"] = (request, result, requests) => {
    if (!isInputRequired(result)) return undefined;
    const { during, stateless } = request;
    const send: Attempt = (next, options) =>
      requests.request({ ...next, stateless }, options, during).continued(manual);
    return run(new RoundTrip(request, send, connection, binding), result as InputRequired);
  };
  const full: Continuation = {
    answered,
    refused: (request, error, requests) =>
      manual
        .refused(request, error, requests)
        ?.then((result) => answered(request, result, requests) ?? result),
  };
  return { full, manual };
}

/**
 * Sends a request again after its header fields were refused. It first fetches the list of tools, from which the
 * transport learns the fields (MCP: custom headers).
 */
async function sentAfterList(
  request: PendingRequest,
  requests: PendingRequests,
  { outbound, route }: Binding,
): Promise<unknown> {
  await fetchList(request, route(outbound.get(request.row.paramHeaders!)!), requests);
  // The fetched list is newer than the tool definition that the caller passed.
  const options = { ...request.options, tool: undefined };
  return requests.request(request, options, request.during).promise;
}

/** Fetches all pages of a list. Together, they may take as long as one request. */
async function fetchList(
  { options, during, times, stateless }: PendingRequest,
  route: OutboundRoute,
  requests: PendingRequests,
): Promise<void> {
  const until = performance.now() + times.timeout;
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = route.check?.(cursor === undefined ? undefined : { cursor });
    const left = until - performance.now();
    const own = { ...options, timeout: left, maxTotalTimeout: left, onprogress: undefined };
    const admitted: OutgoingRequest = { route, params, stateless };
    const result = await requests.request(admitted, own, during).promise;
    cursor = isObject(result) ? result["nextCursor"] : undefined;
    if (cursor === undefined) return;
  }
}

/**
 * The pauses before a request is sent again after a result without input requests, in milliseconds. The last one is
 * repeated.
 */
const PAUSES = [0, 100, 250, 500, 1000, 2000] as const;

/**
 * A request whose result contains input requests, until it has a final result. Its `maxTotalTimeout` applies to all
 * rounds together.
 */
class RoundTrip implements Timed, Abortable {
  readonly deadline: number;
  readonly request: PendingRequest;
  readonly #send: Attempt;
  readonly #answer: (requests: InputRequests) => Promise<Record<string, unknown>>;
  readonly #controller = new AbortController();
  readonly #ended: Promise<never>;
  #end!: (reason: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauses = 0;

  constructor(request: PendingRequest, send: Attempt, connection: Connection, binding: Binding) {
    const { started, times, call } = request;
    this.request = request;
    this.#send = send;
    const { signal } = this.#controller;
    this.#answer = (requests) => answerInputs(requests, connection, binding, call, signal);
    this.deadline = started + Math.max(times.timeout, times.maxTotalTimeout);
    this.#ended = quiet(new Promise((_, reject) => (this.#end = reject)));
  }

  async run(first: InputRequired, limit: number): Promise<unknown> {
    const { route, row, params } = this.request;
    const { inputResponses: _, requestState: __, ...own } = (params ?? {}) as InputMembers;
    let required = first;
    for (let round = 1; round <= limit; round += 1) {
      const more = await Promise.race([this.#answers(required), this.#ended]);
      const result = await this.#send({ route, params: { ...own, ...more } }, this.#timeLeft());
      if (!isInputRequired(result)) return result;
      required = result as InputRequired;
    }
    throw new OverloadError(`${row.method} has no result after ${limit} rounds of input`);
  }

  expire(): void {
    const { row, started } = this.request;
    const waited = Math.round(this.deadline - started);
    const what = "no final result arrived";
    this.abort(new RequestTimeoutError(row.method, waited, what, "maxTotalTimeout"));
  }

  abort(reason: unknown): void {
    clearTimeout(this.#timer);
    this.#controller.abort(reason);
    this.#end(reason);
  }

  /**
   * Returns the members that the next round adds to the parameters, in place of the previous round's. Pauses first if
   * the result has a state but no input requests.
   */
  async #answers({ inputRequests = {}, requestState }: InputRequired): Promise<object> {
    const state = requestState === undefined ? {} : { requestState };
    if (Object.keys(inputRequests).length > 0) {
      this.#pauses = 0;
      return { inputResponses: await quiet(this.#answer(inputRequests)), ...state };
    }
    if (requestState === undefined) {
      const { method } = this.request.row;
      throw new InvalidMessageError(
        `${method} returned a request for input without requests or state`,
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

  #timeLeft(): PendingRequest["options"] {
    const { options, times } = this.request;
    const left = Math.max(0, this.deadline - performance.now());
    return { ...options, timeout: Math.min(times.timeout, left), maxTotalTimeout: left };
  }
}

interface InputMembers {
  readonly inputResponses?: unknown;
  readonly requestState?: unknown;
}

/**
 * Answers input requests with this side's handlers. Returns the answers by the keys of the input requests. If one
 * handler fails or the signal aborts, the others are aborted. If an input request has no handler, no handler is called.
 */
export async function answerInputs(
  requests: InputRequests,
  connection: Connection,
  binding: Binding,
  call: RelatedCall,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(requests);
  if (entries.length > connection.definition.limits.incoming) {
    throw new OverloadError(`${call.method} requested ${entries.length} inputs`);
  }
  const open = new Set<RequestContext>();
  const abort = (reason: unknown): void => {
    for (const context of open) context.abort(reason as Error);
    open.clear();
  };
  const aborted = (): void => abort(signal!.reason);
  const answer = async (context: RequestContext): Promise<unknown> => {
    const { route, params } = context;
    open.add(context);
    try {
      let result = await route.handler!(params, context);
      for (const step of route.writing) result = step(result, context);
      return result;
    } catch (error) {
      throw refused(call, route.row.method, describeThrown(error), error);
    } finally {
      if (open.delete(context)) context.finish();
    }
  };
  const contexts = entries.map(
    ([key, request]) => [key, inputContext(request, connection, binding, call)] as const,
  );
  signal?.addEventListener("abort", aborted, { once: true });
  try {
    const answers = contexts.map(async ([key, context]) => [key, await answer(context)] as const);
    return Object.fromEntries(await Promise.all(answers));
  } catch (error) {
    abort(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", aborted);
  }
}

function inputContext(
  { method, params }: InputRequest,
  connection: Connection,
  binding: Binding,
  call: RelatedCall,
): RequestContext {
  const route = binding.embedded.get(method);
  if (route === undefined) {
    throw refused(call, method, `this client has no handler for ${quote(method)}`);
  }
  warnIfDeprecated(route.row, connection.definition.report);
  const message = { method, params };
  const conversation = conversationUnder(connection, binding);
  const context = new RequestContext(conversation, connection, message);
  context.route = route;
  context.call = call;
  try {
    for (const step of route.reading) context.params = step(context.params, context);
  } catch (error) {
    throw refused(call, method, describeThrown(error), error);
  }
  return context;
}

function refused(
  call: RelatedCall,
  method: string,
  problem: string,
  cause?: unknown,
): InputRefusedError {
  return new InputRefusedError(call.method, method, problem, cause);
}
