import {
  type Method,
  notification,
  optional,
  type OptionalParams,
  request,
  type Validator,
} from "../wire/index.js";

/**
 * Request that is not part of the protocol, as both sides define it. Created by {@link
 * customRequest}.
 */
export interface CustomRequest<Params, Result> {
  readonly row: Method & { readonly kind: "request" };
  /** Exists only for the types. */
  readonly types?: { readonly params: Params; readonly result: Result };
}

/** Notification that is not part of the protocol. Created by {@link customNotification}. */
export interface CustomNotification<Params> {
  readonly row: Method & { readonly kind: "notification" };
  /** Exists only for the types. */
  readonly types?: { readonly params: Params };
}

/** Any message that is not part of the protocol. */
export interface CustomMessage {
  readonly row: Method;
}

/** Type guard for `T`; the validators of generated packages are such functions. */
export type Check<T> = (value: unknown) => value is T;

/** Checks of a custom notification, and the side that sends it. */
export interface NotificationChecks<Params> {
  /** Check of the parameters, which are an object; omit it if the message has no parameters. */
  readonly params?: Check<Params>;
  /** True if the parameters may be absent although there is a check for them. Default: false. */
  readonly optional?: boolean;
  /** Side that sends the message. Default: both. */
  readonly from?: Method["from"];
}

export interface RequestChecks<Params, Result> extends NotificationChecks<Params> {
  /** Check of the result, which is an object. */
  readonly result?: Check<Result>;
  /**
   * Check of an intermediate result that requests input; in revisions with such results, the answering side may return
   * one before the final result.
   */
  readonly inputResult?: Check<unknown>;
  /**
   * Member of the parameters that HTTP requests mirror in the header field `Mcp-Name`, in revisions
   * that have such fields.
   */
  readonly nameHeader?: string;
}

/**
 * Describes a request of your own. Start its name with a prefix of your own (`acme/search`), so
 * that no revision ever defines it.
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
