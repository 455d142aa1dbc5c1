import { isObject } from "../validation/tests.js";
import type { Validator } from "../validation/validator.js";
import type { Method, MethodTable, ResultInLieu } from "./revision.js";

export interface OptionalParams {
  readonly optional: Validator;
}

export type RequestExtras = Partial<
  Pick<
    Method,
    | "channel"
    | "role"
    | "taskResult"
    | "inputResult"
    | "capability"
    | "declares"
    | "conditions"
    | "paginated"
    | "cacheable"
    | "deprecated"
    | "nameHeader"
    | "paramHeaders"
  >
>;

export type NotificationExtras = Partial<
  Pick<Method, "role" | "capability" | "conditions" | "deprecated">
>;

/** Creates a row for a request; `params` is undefined if the request has no parameters. */
export function request(
  method: string,
  from: Method["from"],
  params: Validator | OptionalParams | undefined,
  result: Validator,
  extras: RequestExtras = {},
): Method {
  return {
    ...METHOD_DEFAULTS,
    method,
    kind: "request",
    from,
    ...describe(params),
    result,
    ...extras,
  };
}

/** Creates a row for a notification; `params` is undefined if the notification has no parameters. */
export function notification(
  method: string,
  from: Method["from"],
  params: Validator | OptionalParams | undefined,
  extras: NotificationExtras = {},
): Method {
  return { ...METHOD_DEFAULTS, method, kind: "notification", from, ...describe(params), ...extras };
}

/** Marks parameters that may be omitted. */
export function optional(params: Validator): OptionalParams {
  return { optional: params };
}

/** Indexes rows by method name. The index is a `Map`, so that names such as `constructor` are not found in it. */
export function methodTable(rows: readonly Method[]): MethodTable {
  return new Map(rows.map((row) => [row.method, row]));
}

export const METHOD_DEFAULTS = { channel: "wire", paginated: false, cacheable: false } as const;

function describe(
  params: Validator | OptionalParams | undefined,
): Pick<Method, "params" | "paramsOptional"> {
  if (params === undefined) return { paramsOptional: true };
  if (typeof params === "function") return { params, paramsOptional: false };
  return { params: params.optional, paramsOptional: true };
}

export function inLieuOf({ inLieu }: Method, result: unknown): ResultInLieu | undefined {
  if (inLieu === undefined || !isObject(result)) return undefined;
  const { resultType } = result;
  return typeof resultType === "string" && Object.hasOwn(inLieu, resultType)
    ? inLieu[resultType]
    : undefined;
}
