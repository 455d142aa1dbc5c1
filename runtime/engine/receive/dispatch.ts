import { OutcomeError, isInputRequired } from "../../api/index.js";
import { isThenable } from "../../ground/index.js";
import {
  HandlerError,
  INTERNAL_ERROR,
  InsufficientScopeError,
  InvalidMessageError,
  type ResponseMessage,
  type Revision,
  RpcError,
  UnavailableError,
  describeThrown,
} from "../../wire/index.js";
import { internalError } from "../define/errors.js";
import type { Binding } from "../define/binding.js";
import type { Route } from "../define/route.js";
import { forItem } from "../define/validity.js";
import type { RequestContext } from "./request-context.js";

/**
 * The response to a request; undefined if none is due, because the request was cancelled or its response stays open.
 */
export type Answer = ResponseMessage | undefined;

/**
 * Answers a request. If the answer is ready synchronously, it is returned and the caller sends it. Otherwise it is
 * passed to the context's owner, which sends it. The returned promise never rejects.
 */
export function dispatch(context: RequestContext, route: Route): Answer | Promise<Answer> {
  context.route = route;
  try {
    for (const step of route.reading) context.params = step(context.params, context);
    const { handler } = route;
    const result = handler
      ? handler(context.params, context)
      : context.conversation.control(context);
    return isThenable(result) ? concludeLater(result, context) : concluded(result, context);
  } catch (error) {
    return failed(error, context);
  }
}

/** Handles a notification. If the handler is asynchronous, returns a promise that never rejects. */
export function react(context: RequestContext, route: Route): Promise<void> | undefined {
  const { conversation } = context;
  context.route = route;
  try {
    for (const step of route.reading) context.params = step(context.params, context);
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) reportFailure(error, context);
    else if (route.row.role !== "cancelled") conversation.report(error);
    return undefined;
  }
  try {
    const { handler } = route;
    const reaction = handler ? handler(context.params, context) : conversation.control(context);
    return isThenable(reaction) ? settled(reaction, context) : undefined;
  } catch (error) {
    reportFailure(error, context);
    return undefined;
  }
}

export function concluded(returned: unknown, context: RequestContext): Answer | Promise<Answer> {
  if (!context.isOpen || context.openResponse) return undefined;
  const { conclude, writing } = context.route;
  try {
    const isFinal = context.round === undefined && !isInputRequired(returned);
    const concluding = isFinal ? undefined : conclude?.(returned, context);
    if (concluding) return concludeLater(concluding, context);
    let result = returned;
    for (const step of writing) result = step(result, context);
    return { jsonrpc: "2.0", id: context.id!, result };
  } catch (error) {
    if (!(error instanceof HandlerError)) return failed(error, context);
    context.conversation.report(error);
    return errorAnswer(internalError(), context);
  }
}

export function failed(thrown: unknown, context: RequestContext): Answer | Promise<Answer> {
  if (!context.isOpen) return undefined;
  if (thrown instanceof OutcomeError) return outcomeOf(thrown, context);
  if (thrown instanceof RpcError) return errorAnswer(thrown, context);
  reportFailure(thrown, context);
  return errorAnswer(internalError(), context);
}

function outcomeOf(thrown: OutcomeError, context: RequestContext): Answer | Promise<Answer> {
  const outcome = thrown.outcomeFor(context);
  return outcome instanceof RpcError ? errorAnswer(outcome, context) : concluded(outcome, context);
}

export function errorAnswer(error: RpcError, context: RequestContext): ResponseMessage {
  const { binding, id } = context;
  // A method that is not found has no route.
  for (const step of context.route?.failing ?? []) step(error, context);
  if (error instanceof InsufficientScopeError) context.forbid(error.scopes);
  if (error instanceof UnavailableError) defer(error, context);
  const { revision, onloss } = binding;
  const report = (problem: Error): void => context.conversation.report(problem);
  const sent = revision ? errorToSend(error, revision, context, report, onloss) : error;
  return { jsonrpc: "2.0", id: id!, error: sent.toJSON() };
}

/**
 * Converts an error to the one that is sent. A code that only other revisions define, or that the revision reserves,
 * becomes an internal error.
 *
 * @param report - called if a handler used a code that it may not use
 */
export function errorToSend(
  error: RpcError,
  revision: Revision,
  request: Pick<RequestContext, "method" | "params">,
  report: (error: Error) => void,
  onloss?: Binding["onloss"],
): RpcError {
  const projected = revision.projectError?.(request, error, onloss) ?? error;
  const sent = isReserved(projected.code, revision) ? replaced(projected) : projected;
  if (sent.code !== error.code && isReserved(error.code, revision))
    report(reservedCode(error, revision, request.method));
  return sent;
}

function defer({ cause, retryAfter }: UnavailableError, context: RequestContext): void {
  context.defer(retryAfter);
  if (cause !== undefined) reportFailure(cause, context);
}

export function concludeLater(
  result: PromiseLike<unknown>,
  context: RequestContext,
): Promise<Answer> {
  return Promise.resolve(result).then(
    (value) => taken(concluded(value, context), context),
    (error: unknown) => taken(failed(error, context), context),
  );
}

/**
 * Passes a response to the context's owner. A promise is simply returned, because the steps it was composed from
 * already pass on its response.
 */
function taken(
  answer: Answer | Promise<Answer>,
  context: RequestContext,
): Answer | Promise<Answer> {
  if (!(answer instanceof Promise)) context.owner?.take(context, answer);
  return answer;
}

/** Returns true if a code is in the range reserved for the revision, but the revision does not define it. */
function isReserved(code: number, { conventions, errorCodes }: Revision): boolean {
  const [first, last] = conventions.reservedErrors;
  if (first === undefined || code < first || code > last!) return false;
  return !Object.values(errorCodes).includes(code);
}

function replaced({ message, data }: RpcError): RpcError {
  return new RpcError(INTERNAL_ERROR, message, data);
}

function reservedCode(
  { code }: RpcError,
  { id, conventions }: Revision,
  method: string,
): HandlerError {
  const [first, last] = conventions.reservedErrors;
  const problem = `failed with the code ${code}, which ${id} does not define, so another code was sent: choose one outside of ${first} to ${last}`;
  return new HandlerError(method, problem);
}

async function settled(reaction: PromiseLike<unknown>, context: RequestContext): Promise<void> {
  try {
    await reaction;
  } catch (error) {
    if (context.isOpen) reportFailure(error, context);
  }
}

function reportFailure(thrown: unknown, { conversation, method, params }: RequestContext): void {
  const problem = `failed${forItem(params)}: ${describeThrown(thrown)}`;
  conversation.report(new HandlerError(method, problem, thrown));
}
