import {
  CallToolResultSchema,
  InitializedNotificationSchema,
  InitializeRequestSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  TaskAugmentedRequestParamsSchema,
} from "./protocol-schemas.js";
import type {
  CallToolResult,
  CompleteRequest,
  CompleteRequestPrompt,
  CompleteRequestResourceTemplate,
  InitializedNotification,
  InitializeRequest,
  InputRequiredResult,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  TaskAugmentedRequestParams,
} from "./protocol-types.js";

export function isJSONRPCRequest(value: unknown): value is JSONRPCRequest {
  return hasId(value) && JSONRPCRequestSchema.safeParse(value).success;
}

/** True for a notification. A message with an `id` is not a notification. */
export function isJSONRPCNotification(value: unknown): value is JSONRPCNotification {
  return !hasId(value) && JSONRPCNotificationSchema.safeParse(value).success;
}

export function isJSONRPCResultResponse(value: unknown): value is JSONRPCResultResponse {
  return JSONRPCResultResponseSchema.safeParse(value).success;
}

export function isJSONRPCErrorResponse(value: unknown): value is JSONRPCErrorResponse {
  return JSONRPCErrorResponseSchema.safeParse(value).success;
}

export function isJSONRPCResponse(value: unknown): value is JSONRPCResponse {
  return isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value);
}

/** Older name of {@link isJSONRPCErrorResponse}. */
export const isJSONRPCError: typeof isJSONRPCErrorResponse = isJSONRPCErrorResponse;

/**
 * Returns a value as a message.
 * @throws ValueError if the value is not a JSON-RPC message
 */
export function parseJSONRPCMessage(value: unknown): JSONRPCMessage {
  return JSONRPCMessageSchema.parse(value) as JSONRPCMessage;
}

export function isInitializeRequest(value: unknown): value is InitializeRequest {
  return InitializeRequestSchema.safeParse(value).success;
}

export function isInitializedNotification(value: unknown): value is InitializedNotification {
  return InitializedNotificationSchema.safeParse(value).success;
}

export function isCallToolResult(value: unknown): value is CallToolResult {
  return CallToolResultSchema.safeParse(value).success;
}

/** True for an `input_required` result; its requests are not validated. */
export function isInputRequiredResult(value: unknown): value is InputRequiredResult {
  return isObject(value) && value["resultType"] === "input_required";
}

export function isTaskAugmentedRequestParams(value: unknown): value is TaskAugmentedRequestParams {
  return TaskAugmentedRequestParamsSchema.safeParse(value).success;
}

/**
 * Asserts that a completion request refers to a prompt.
 *
 * @throws TypeError if it does not
 */
export function assertCompleteRequestPrompt(
  request: CompleteRequest,
): asserts request is CompleteRequestPrompt {
  assertReference(request, "ref/prompt", "CompleteRequestPrompt");
}

/**
 * Asserts that a completion request refers to a resource template.
 *
 * @throws TypeError if it does not
 */
export function assertCompleteRequestResourceTemplate(
  request: CompleteRequest,
): asserts request is CompleteRequestResourceTemplate {
  assertReference(request, "ref/resource", "CompleteRequestResourceTemplate");
}

function assertReference({ params }: CompleteRequest, type: string, expected: string): void {
  const { ref } = params;
  if (ref.type !== type) throw new TypeError(`Expected ${expected}, but got ${ref.type}`);
}

function hasId(value: unknown): boolean {
  return isObject(value) && value["id"] !== undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
