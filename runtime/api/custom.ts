import {
  type Method,
  notification,
  optional,
  type OptionalParams,
  request,
  type Validator,
} from "../wire/index.js";

/** A request besides those of the protocol, as both sides know it. Made by {@link customRequest}. */
export interface CustomRequest<Params, Result> {
  readonly row: Method & { readonly kind: "request" };
  /** Only there for the types. */
  readonly types?: { readonly params: Params; readonly result: Result };
}

/** A notification besides those of the protocol. Made by {@link customNotification}. */
export interface CustomNotification<Params> {
  readonly row: Method & { readonly kind: "notification" };
  /** Only there for the types. */
  readonly types?: { readonly params: Params };
}

/** Any message besides those of the protocol. */
export interface CustomMessage {
  readonly row: Method;
}

/** Tells whether a value is a `T`; a validator of a generated package is one. */
export type Check<T> = (value: unknown) => value is T;

/** Definition of a custom notification. */
export interface NotificationChecks<Params> {
  /** Check of the parameters, an object; leave it out if there are none. */
  readonly params?: Check<Params>;
  /** True when the parameters may be absent although there is a check for them. Default: false. */
  readonly optional?: boolean;
  /** Side that sends the message. Default: both. */
  readonly from?: Method["from"];
}

export interface RequestChecks<Params, Result> extends NotificationChecks<Params> {
  /** Check of the result, an object. */
  readonly result?: Check<Result>;
  /** Check of questions that may replace the result, at revisions that embed them in results. */
  readonly inputResult?: Check<unknown>;
  /** Member of the parameters that HTTP requests repeat in the header field `Mcp-Name`, at revisions that have such fields. */
  readonly nameHeader?: string;
}

/**
 * Describes a request of your own. Its name should start with a prefix that is yours (`acme/search`), so that no
 * revision ever has it.
 */
export function customRequest<Params = undefined, Result = object>(
  method: string,
  check: RequestChecks<Params, Result> = {},
): CustomRequest<Params, Result> {
  const { from = "both", inputResult, nameHeader } = check;
  const result = (check.result ?? isAnything) as Validator;
  const extras = {
    ...(inputResult && { inputResult: inputResult as Validator }),
    ...(nameHeader !== undefined && { nameHeader }),
  };
  return { row: { ...request(method, from, paramsOf(check), result, extras), kind: "request" } };
}

/** Describes a notification of your own; see {@link customRequest}. */
export function customNotification<Params = undefined>(
  method: string,
  check: NotificationChecks<Params> = {},
): CustomNotification<Params> {
  const { from = "both" } = check;
  return { row: { ...notification(method, from, paramsOf(check)), kind: "notification" } };
}

function paramsOf({ params, optional: mayLack }: NotificationChecks<unknown>): ParamsCheck {
  const check = params as Validator | undefined;
  if (check === undefined) return optional(isAnything);
  return mayLack ? optional(check) : check;
}

type ParamsCheck = Validator | OptionalParams;

const isAnything: Validator = (value): value is unknown => value !== undefined;
