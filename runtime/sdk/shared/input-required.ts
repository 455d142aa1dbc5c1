import { withMode } from "./capabilities.js";
import {
  acceptedContent as contentOf,
  inputRequired as required,
} from "@mcp-codegen/universal/server";
import { isInputRequiredResult, isObject } from "./guards.js";
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputResponses,
  Root,
  Without,
} from "./protocol-types.js";
import type { StandardSchemaV1, StandardSchemaWithJSON } from "./schemas.js";

/** Requests for the client, a state that the client returns with its responses, or both. */
export interface InputRequiredSpec {
  inputRequests?: InputRequests | undefined;
  /** The state. It is sealed before it is sent, so that only this server can read or change it. */
  requestState?: string | undefined;
}

/** A form whose fields are described by a JSON Schema or a library's schema. */
export type ElicitInputParams = Without<ElicitRequestFormParams, "requestedSchema"> & {
  requestedSchema: ElicitRequestFormParams["requestedSchema"] | StandardSchemaWithJSON;
};

interface InputRequiredBuilder {
  (spec: InputRequiredSpec): InputRequiredResult;
  elicit(params: ElicitInputParams): InputRequest;
  elicitUrl(params: Without<ElicitRequestURLParams, "mode" | "elicitationId">): InputRequest;
  createMessage(params: CreateMessageRequestParams): InputRequest;
  listRoots(): InputRequest;
}

/** Builds the result of a handler that first needs input from the client. */
export const inputRequired: InputRequiredBuilder = /* @__PURE__ */ Object.assign(
  (spec: InputRequiredSpec) => (required as unknown as InputRequiredBuilder)(spec),
  required as unknown as InputRequiredBuilder,
  {
    elicit: (params: ElicitInputParams): InputRequest => {
      const request = (required as unknown as InputRequiredBuilder).elicit(params);
      return { ...request, params: withMode(request.params ?? {}) } as InputRequest;
    },
  },
);

type Responses = InputResponses | Record<string, unknown> | undefined;

interface AcceptedContent {
  <Content extends Record<string, unknown> = Record<string, unknown>>(
    responses: Responses,
    key: string,
  ): Content | undefined;
  /**
   * Returns the content of an accepted form.
   * @throws TypeError if the schema validates asynchronously
   */
  <Schema extends StandardSchemaV1>(
    responses: Responses,
    key: string,
    schema: Schema,
  ): StandardSchemaV1.InferOutput<Schema> | undefined;
}

/**
 * Returns the content of an accepted form, or undefined if the user did not accept it or if the content violates the
 * schema.
 */
export const acceptedContent: AcceptedContent = contentOf as unknown as AcceptedContent;

/** An input response, or the information that it is missing. `kind` distinguishes the types. */
export type InputResponseView =
  | { kind: "missing" }
  | { kind: "elicit"; action: "accept" | "decline" | "cancel"; content?: Record<string, unknown> }
  | { kind: "sampling"; result: CreateMessageResult }
  | { kind: "roots"; roots: Root[] };

/**
 * Reads one input response and determines its kind from its members. The kind is `missing` if there is no response, or
 * if the kind cannot be determined.
 */
export function inputResponse(responses: Responses, key: string): InputResponseView {
  const response: unknown =
    responses && Object.hasOwn(responses, key)
      ? (responses as Record<string, unknown>)[key]
      : undefined;
  if (!isObject(response)) return { kind: "missing" };
  const { action, content, roots } = response;
  if (action === "accept" || action === "decline" || action === "cancel") {
    return { kind: "elicit", action, ...(isObject(content) ? { content } : {}) };
  }
  if (Array.isArray(roots)) return { kind: "roots", roots };
  if (!("role" in response && "content" in response)) return { kind: "missing" };
  return { kind: "sampling", result: response as unknown as CreateMessageResult };
}

/**
 * Returns a schema that also accepts `input_required` results. Intended for callers that handle a request's rounds
 * themselves.
 */
export function withInputRequired<Schema extends StandardSchemaV1>(
  schema: Schema,
): StandardSchemaV1<unknown, StandardSchemaV1.InferOutput<Schema> | InputRequiredResult> {
  type Output = StandardSchemaV1.InferOutput<Schema> | InputRequiredResult;
  const inner = schema["~standard"];
  return {
    "~standard": {
      version: 1,
      vendor: "mcp-codegen",
      validate: (value, options) =>
        isInputRequiredResult(value)
          ? { value }
          : (inner.validate(value, options) as StandardSchemaV1.Result<Output>),
    },
  };
}
