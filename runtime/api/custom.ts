import {
  type Method,
  notification,
  optional,
  type OptionalParams,
  request,
  type Validator,
} from "../wire/index.js";

/** A request that is not part of the protocol, as defined by both sides. Created by {@link customRequest}. */
export interface CustomRequest<Params, Result> {
  readonly row: Method & { readonly kind: "request" };
  /** Used only by the type checker. */
  readonly types?: { readonly params: Params; readonly result: Result };
}

/** A notification that is not part of the protocol. Created by {@link customNotification}. */
export interface CustomNotification<Params> {
  readonly row: Method & { readonly kind: "notification" };
  /** Used only by the type checker. */
  readonly types?: { readonly params: Params };
}

/** Any message that is not part of the protocol. */
export interface CustomMessage {
  readonly row: Method;
}

/** A type guard for `T`. The validators in generated packages are such functions. */
export type Check<T> = (value: unknown) => value is T;

/** The checks for a custom notification, and the side that sends it. */
export interface NotificationChecks<Params> {
  /** The check for the parameters, which are an object. Omit it if the message has no parameters. */
  readonly params?: Check<Params>;
  /** True if the parameters may be omitted even though there is a check for them. Default: false. */
  readonly optional?: boolean;
  /** The side that sends the message. Default: both. */
  readonly from?: Method["from"];
}

export interface RequestChecks<Params, Result> extends NotificationChecks<Params> {
  /** The check for the result, which is an object. */
  readonly result?: Check<Result>;
  /**
   * The check for an intermediate result that requests input. In revisions that have such results, the answering side
   * may return one before the final result.
   */
  readonly inputResult?: Check<unknown>;
  /**
   * The member of the parameters that HTTP requests mirror in the `Mcp-Name` header field, in revisions that have such
   * fields.
   */
  readonly nameHeader?: string;
}

/**
 * Describes a request of your own. Start its name with your own prefix (`acme/search`), so that no revision will ever
 * define the same name.
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
