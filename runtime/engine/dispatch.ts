import { isThenable } from "../ground/index.js";
import {
  HandlerError,
  INTERNAL_ERROR,
  InsufficientScopeError,
  InvalidMessageError,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  type Revision,
  RpcError,
  UnavailableError,
  describeThrown,
  inLieuOf,
  withoutDropped,
} from "../wire/index.js";
import type { Route } from "./binding.js";
import { OutcomeError } from "../api/index.js";
import { declaredSettings, extensionRequired } from "./declared-extension.js";
import { acceptsParams, isSendable, paramsIssues, summarize } from "./conformity.js";
import { invalidResult } from "./invalid-result.js";
import { internalError, methodNotFound, refusal } from "./refusal.js";
import { markedAsRequest } from "./related-task.js";
import type { RequestContext } from "./request-context.js";
import { writtenResult } from "./results.js";

/** Answer to a request; undefined where none is due, because it was cancelled or its response stays open. */
export type Answer = ResponseMessage | undefined;

/**
 * Answers a request: looks up its handler, validates its parameters, calls the handler, and checks its result.
 *
 * An answer that is ready synchronously is returned, and the caller sends it. An asynchronous answer is handed to the
 * owner of the context, which sends it; the returned promise only tells when that has happened.
 *
 * @returns the answer, or a promise that resolves once the owner has the answer; it never rejects
 */
export function dispatch(
  request: RequestMessage,
  context: RequestContext,
): Answer | Promise<Answer> {
  try {
    const route = routeOf(request.method, context);
    context.route = route;
    context.params = readParams(route, request.params, context);
    const result = context.conversation.call(context);
    return isThenable(result) ? concludeLater(result, context) : concluded(result, context);
  } catch (error) {
    return failed(error, context);
  }
}

/**
 * Handles a notification: looks up what reacts to it, validates its parameters, and calls that.
 * @returns a promise where the reaction takes time; it never rejects
 */
export function react(
  { method, params }: NotificationMessage,
  context: RequestContext,
): Promise<void> | undefined {
  const { binding, conversation } = context;
  const route = binding.notifications.get(method);
  if (route === undefined) return undefined;
  if (!acceptsParams(route, params)) {
    if (route.row.role !== "cancelled") {
      const issues = paramsIssues(route, params);
      conversation.report(new InvalidMessageError(`${method}: ${summarize(issues)}`, issues));
    }
    return undefined;
  }
  binding.content?.lookAtParams(route.row, params);
  context.route = route;
  context.params = raised(route, params, context);
  try {
    const { handler } = route;
    const reaction = handler ? handler(context.params, context) : conversation.control(context);
    return isThenable(reaction) ? settled(reaction, context) : undefined;
  } catch (error) {
    reportFailure(error, context);
    return undefined;
  }
}

/** Builds the answer from a handler's result: at once, or later when the result asks the client questions first. */
export function concluded(result: unknown, context: RequestContext): Answer | Promise<Answer> {
  if (!context.isOpen || context.openResponse) return undefined;
  try {
    const concluding = context.conversation.conclude(result, context);
    return concluding ? concludeLater(concluding, context) : resultAnswer(result, context);
  } catch (error) {
    return failed(error, context);
  }
}

/** Builds the answer to a request that has failed. */
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
  const { binding, conversation, id } = context;
  if (error instanceof InsufficientScopeError) context.forbid(error.scopes);
  if (error instanceof UnavailableError) defer(error, context);
  const { revision } = binding;
  const projected = revision?.projectError?.(context, error, conversation.onloss) ?? error;
  const sent = revision && isReserved(projected.code, revision) ? replaced(projected) : projected;
  if (revision && sent.code !== error.code && isReserved(error.code, revision))
    reportReserved(error, revision, context);
  return { jsonrpc: "2.0", id: id!, error: sent.toJSON() };
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
 * Hands an asynchronous answer to the owner of the context. A promise is passed through, because its own steps hand
 * over the answer. Doing it here saves each call a further promise.
 */
function taken(
  answer: Answer | Promise<Answer>,
  context: RequestContext,
): Answer | Promise<Answer> {
  if (!(answer instanceof Promise)) context.owner?.take(context, answer);
  return answer;
}

function routeOf(method: string, { binding, conversation }: RequestContext): Route {
  const route = binding.requests.get(method);
  if (route === undefined) throw methodNotFound(binding, conversation.side, method);
  return route;
}

/** @throws RpcError for parameters that the handler must not get */
function readParams(route: Route, params: unknown, context: RequestContext): unknown {
  const refused = refusal(route, params);
  if (refused) throw refused;
  context.binding.content?.lookAtParams(route.row, params);
  const { undeclared } = route;
  return raised(route, undeclared ? withoutDropped(undeclared, params) : params, context);
}

/** Parameters in the shapes that the handlers of this side are written for. */
function raised({ row }: Route, params: unknown, { binding }: RequestContext): unknown {
  const projection = binding.revision?.projection;
  return projection ? projection.up(row, "params", params) : params;
}

function resultAnswer(result: unknown, context: RequestContext): ResponseMessage {
  const { binding, conversation, row, params, id } = context;
  const own = writtenResult(binding, row, result, conversation.onloss);
  const written = markedAsRequest(own, context);
  const inLieu = inLieuOf(row, written);
  if (inLieu && !declaredSettings(context.session, inLieu.extension))
    throw extensionRequired(`the result of ${row.method}`, inLieu.extension, binding.revision!);
  if (isSendable(row, params, written, binding.content !== undefined))
    return { jsonrpc: "2.0", id: id!, result: written };
  conversation.report(invalidResult(row, params, written));
  return errorAnswer(internalError(), context);
}

/** True for a code that only the revision may give a meaning, and has not. */
function isReserved(code: number, { conventions, errorCodes }: Revision): boolean {
  const [first, last] = conventions.reservedErrors;
  if (first === undefined || code < first || code > last!) return false;
  return !Object.values(errorCodes).includes(code);
}

function replaced({ message, data }: RpcError): RpcError {
  return new RpcError(INTERNAL_ERROR, message, data);
}

function reportReserved(
  { code }: RpcError,
  { id, conventions }: Revision,
  context: RequestContext,
): void {
  const [first, last] = conventions.reservedErrors;
  const { conversation, method } = context;
  const problem = `failed with the code ${code}, which ${id} does not define, so that another one is sent: choose one outside of ${first} to ${last}`;
  conversation.report(new HandlerError(method, problem));
}

async function settled(reaction: PromiseLike<unknown>, context: RequestContext): Promise<void> {
  try {
    await reaction;
  } catch (error) {
    if (context.isOpen) reportFailure(error, context);
  }
}

function reportFailure(thrown: unknown, { conversation, method }: RequestContext): void {
  conversation.report(new HandlerError(method, `failed: ${describeThrown(thrown)}`, thrown));
}
