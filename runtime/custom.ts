import type { AnyHandler, HandlerContext } from "./handlers.js";
import { quote } from "./jsonrpc.js";
import { notification, optional, request } from "./method-table.js";
import type { Method, Revision } from "./revision.js";
import type { Validator } from "./validation.js";

/** A request beside those of the protocol, as both sides know it. Made by {@link customRequest}. */
export interface CustomRequest<Params, Result> {
  readonly row: Method & { readonly kind: "request" };
  /** Only there for the types. */
  readonly types?: { readonly params: Params; readonly result: Result };
}

/** A notification beside those of the protocol. Made by {@link customNotification}. */
export interface CustomNotification<Params> {
  readonly row: Method & { readonly kind: "notification" };
  /** Only there for the types. */
  readonly types?: { readonly params: Params };
}

/** Any message beside those of the protocol. */
export interface CustomMessage {
  readonly row: Method;
}

/** Tells whether a value is a `T`; a validator of a generated package is one. */
export type Check<T> = (value: unknown) => value is T;

/**
 * Describes a request of your own. Its name should start with a prefix that is yours (`acme/search`), so that no
 * revision ever has it.
 *
 * @param check.params - of the parameters, an object; may be left out with the parameters
 * @param check.result - of the result, an object
 */
export function customRequest<Params = undefined, Result = object>(
  method: string,
  check: { readonly params?: Check<Params>; readonly result?: Check<Result> } = {},
): CustomRequest<Params, Result> {
  const params = check.params as Validator | undefined;
  const result = (check.result ?? isAnything) as Validator;
  const row = request(method, "both", params ?? optional(isAnything), result);
  return { row: { ...row, kind: "request" } };
}

/** Describes a notification of your own; see {@link customRequest}. */
export function customNotification<Params = undefined>(
  method: string,
  check: { readonly params?: Check<Params> } = {},
): CustomNotification<Params> {
  const params = check.params as Validator | undefined;
  const row = notification(method, "both", params ?? optional(isAnything));
  return { row: { ...row, kind: "notification" } };
}

/** A message of your own and what handles it. Made by {@link onCustom}, given with the option `custom`. */
export interface CustomHandler {
  readonly row: Method;
  readonly handler: AnyHandler;
}

/** Brings a message of your own together with its handler. */
export function onCustom<Params, Result, Context = HandlerContext>(
  message: CustomRequest<Params, Result>,
  handler: (
    params: NoInfer<Params>,
    context: Context,
  ) => NoInfer<Result> | Promise<NoInfer<Result>>,
): CustomHandler;
export function onCustom<Params, Context = HandlerContext>(
  message: CustomNotification<Params>,
  handler: (params: NoInfer<Params>, context: Context) => void | Promise<void>,
): CustomHandler;
export function onCustom(
  { row }: CustomMessage,
  handler: (params: never, context: never) => unknown,
): CustomHandler {
  return { row, handler: handler as unknown as AnyHandler };
}

/** @throws TypeError when a revision has a message of that name */
export function assertIsCustom({ method }: Method, revisions: readonly Revision[]): void {
  const owner = revisions.find(({ methods }) => methods.has(method));
  if (owner) {
    throw new TypeError(`${quote(method)} is a message of ${owner.id}, and cannot be a custom one`);
  }
}

const isAnything: Validator = (value): value is unknown => value !== undefined;
