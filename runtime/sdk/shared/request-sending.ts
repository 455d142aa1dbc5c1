import { customNotification, customRequest } from "@mcp-codegen/runtime";
import type { BaseContext, Notification, Request, RequestOptions } from "./protocol-types.js";
import {
  isCustom,
  isSchema,
  type JsonSchemaType,
  methodOf,
  parsedBy,
  type StandardSchemaV1,
} from "./schemas.js";
import { refusalOf, sdkErrorOf } from "./converted-errors.js";
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "./errors.js";
import { JsonSchemaValidator } from "./json-schema-validator.js";

/** A function supplied by a program. The types of an overload have already checked its parameters. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Callback = (...args: any[]) => any;

export interface OwnSchemas {
  readonly params: StandardSchemaV1;
  readonly result?: StandardSchemaV1 | undefined;
}

/**
 * Returns a callback for a method's messages in their wire form. The callback parses custom messages: the whole message
 * with a schema that states the method (version 1), or only the parameters with the version 2 schemas.
 */
export function messageCallback(
  which: string | object,
  kind: "request" | "notification",
  second: OwnSchemas | Callback,
  handler: Callback | undefined,
): Callback {
  const method = typeof which === "string" ? which : methodOf(which);
  if (typeof second !== "function") {
    return async (message, ...rest) => {
      const parsed = await parsedBy(second.params, message.params ?? {}, `params for ${method}`);
      return handler!(parsed, ...(kind === "request" ? rest : [message]));
    };
  }
  if (typeof which === "string" || !isCustom(method)) return second;
  return async (message, ...rest) =>
    second(await parsedBy(which as StandardSchemaV1, message, `${kind} ${method}`), ...rest);
}

export type Untyped<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: never[]) => unknown ? Callback : T[Name];
};

/**
 * Casts an object to a type whose methods accept any parameters, because the SDK's types have the same structure but
 * separate declarations.
 */
export function untyped<T>(below: T): Untyped<T> {
  return below as Untyped<T>;
}

export type Ask = BaseContext["mcpReq"]["send"];

export interface Sender {
  readonly request: unknown;
  readonly notify: unknown;
}

type Send = (name: unknown, params: unknown, options?: object) => Promise<unknown>;
type Notify = (name: unknown, params?: unknown) => Promise<void>;

/**
 * Returns a function that sends requests through a sender, including custom requests. Errors are converted to the
 * SDK's.
 */
export function requestThrough(
  sender: Sender,
  errorOf: (error: unknown) => unknown = refusalOf,
): Ask {
  const request = async (
    { method, params }: Request,
    second?: StandardSchemaV1 | RequestOptions,
    third?: RequestOptions,
  ): Promise<unknown> => {
    const schema = isSchema(second) ? second : undefined;
    const options = optionsOf(second, third);
    const send = (name: unknown): Promise<unknown> =>
      (sender.request as Send).call(sender, name, params, options as object);
    try {
      const result = await send(isCustom(method) ? customRequest(method) : method);
      if (method === ELICITATION) assertFormFits(params, result);
      return schema ? await resultBy(schema, result, method) : result;
    } catch (error) {
      throw errorOf(error);
    }
  };
  return request as Ask;
}

export function optionsOf(
  second: StandardSchemaV1 | RequestOptions | undefined,
  third: RequestOptions | undefined,
): RequestOptions | undefined {
  return isSchema(second) ? third : second;
}

const ELICITATION = "elicitation/create";

async function resultBy(
  schema: StandardSchemaV1,
  result: unknown,
  method: string,
): Promise<unknown> {
  try {
    return await parsedBy(schema, result);
  } catch (error) {
    const text = `Invalid result for ${method}: ${(error as Error).message}`;
    throw new SdkError(SdkErrorCode.InvalidResult, text, undefined, { cause: error });
  }
}

/**
 * Validates an accepted form's content against the requested schema, as the SDK does before handlers receive the
 * content.
 */
function assertFormFits(params: unknown, result: unknown): void {
  const { requestedSchema } = params as { requestedSchema?: JsonSchemaType };
  const { action, content } = result as { action?: unknown; content?: unknown };
  if (requestedSchema === undefined || action !== "accept" || content === undefined) return;
  const verdict = new JsonSchemaValidator().getValidator(requestedSchema)(content);
  if (verdict.valid) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Elicitation response content does not match requested schema: ${verdict.errorMessage}`,
  );
}

export type Debounce = (notification: Notification, send: () => Promise<void>) => Promise<void>;

/**
 * Returns a function that sends notifications. Notifications with one of the given methods and no parameters are
 * combined into one if they are sent in the same turn.
 *
 * @param report - called with the error if a notification sent for several callers fails
 */
export function debounce(
  methods: readonly string[] = [],
  report: (error: Error) => void,
): Debounce {
  const pending = new Set<string>();
  return async ({ method, params }, send) => {
    if (params !== undefined || !methods.includes(method)) return send();
    if (pending.has(method)) return;
    pending.add(method);
    queueMicrotask(() => {
      pending.delete(method);
      send().catch(report);
    });
  };
}

export function notifyThrough(sender: Sender): (notification: Notification) => Promise<void> {
  return async ({ method, params }) => {
    const name = isCustom(method) ? customNotification(method) : method;
    try {
      await (sender.notify as Notify).call(sender, name, params);
    } catch (error) {
      throw sdkErrorOf(error);
    }
  };
}
