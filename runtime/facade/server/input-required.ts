import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type InputRequest,
  type InputRequired,
  inputRequired as required,
} from "../../api/index.js";
import { formIssues } from "../../features/elicitation/index.js";
import type { ContentOf, FormSchema } from "../../features/index.js";
import { webUrl } from "../../features/server/index.js";
import { isThenable } from "../../ground/index.js";
import { isObject } from "../../wire/index.js";
import type { AnyTypes } from "../neutral-types.js";
import type { FormOrSchema, FormQuestion, UrlQuestion } from "./context-types.js";
import { formFor } from "./form-schemas.js";

/** The input that a handler needs before it can return its result: requests, state to keep, or both. */
export interface RequiredInput {
  /** The requests, under names of your choice. */
  readonly requests?: Readonly<Record<string, InputRequest>> | undefined;
  /** Another name for `requests`. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>> | undefined;
  /** Any JSON value; only this server can read or change it. */
  readonly state?: unknown;
  /** Another name for `state`. */
  readonly requestState?: unknown;
}

/**
 * Requests in the form in which handlers return them. The type is also assignable to the protocol's declared result
 * types.
 */
export type Asking = InputRequired & {
  readonly inputRequests?: Anything;
  readonly [member: string]: Anything;
};

type Anything = AnyTypes["clientRequests"];

interface MakeQuestions {
  /**
   * Builds the value that a handler returns to send requests to the client first. The handler is called again with
   * the answers in `ctx.answers` and the state in `ctx.state`, in every revision (MCP: multi round trips).
   * @throws TypeError if there are neither requests nor a state
   */
  (needed: RequiredInput): Asking;
  /**
   * Builds a request that shows a form to the user.
   *
   * @throws TypeError if the form is invalid
   */
  readonly elicit: (question: FormQuestion<FormOrSchema>) => InputRequest;
  /**
   * Builds a request that sends the user to a web page.
   * @throws TypeError if the URL is not an http(s) URL
   */
  readonly elicitUrl: (question: UrlQuestion) => InputRequest;
  /**
   * Builds a request for a message from the client's model.
   * @deprecated Sampling is deprecated in the newest revision: call a model of your own from the server.
   */
  readonly createMessage: (params: object) => InputRequest;
  /**
   * Builds a request for the places that the client opens to servers.
   * @deprecated Roots are deprecated in the newest revision: take locations as arguments, resource URIs or configuration.
   */
  readonly listRoots: () => InputRequest;
}

/**
 * Builds the value that a handler returns to send requests to the client, and the requests in it.
 *
 * @example
 * ```ts
 * const form = z.object({ sure: z.boolean() });
 * server.registerTool("clear", { description: "Deletes all notes" }, (ctx) => {
 *   if (ctx.answers["sure"] === undefined) {
 *     const sure = inputRequired.elicit({ message: "Delete all?", requestedSchema: form });
 *     return inputRequired({ requests: { sure } });
 *   }
 *   return acceptedContent(ctx.answers, "sure", form)?.sure ? "Deleted" : "Kept";
 * });
 * ```
 */
export const inputRequired: MakeQuestions = /* @__PURE__ */ Object.assign(
  ({ requests, inputRequests, state, requestState }: RequiredInput) =>
    required({
      requests: requests ?? inputRequests,
      state: state ?? requestState,
    }) as unknown as Asking,
  {
    elicit: ({ message, requestedSchema }: FormQuestion<FormOrSchema>): InputRequest => ({
      method: "elicitation/create",
      params: { message, requestedSchema: formFor(requestedSchema) },
    }),
    elicitUrl: ({ message, url, elicitationId }: UrlQuestion): InputRequest => ({
      method: "elicitation/create",
      params: {
        mode: "url",
        message,
        url: webUrl(url),
        ...(elicitationId === undefined ? {} : { elicitationId }),
      },
    }),
    createMessage: (params: object): InputRequest => ({ method: "sampling/createMessage", params }),
    listRoots: (): InputRequest => ({ method: "roots/list" }),
  },
);

type Answers = Readonly<Record<string, unknown>> | undefined;

/**
 * Returns the content of an accepted form, or undefined if the user did not accept or the content does not match.
 * Clients should check the content they send (MCP: elicitation), but not all do: without the request's schema or form,
 * the content can be any JSON object.
 *
 * @param answers - `ctx.answers`
 * @param schema - a library's schema, or the form that was passed to `inputRequired.elicit`
 * @throws TypeError if the schema is asynchronous
 */
export function acceptedContent<Schema extends StandardSchemaV1>(
  answers: Answers,
  name: string,
  schema: Schema,
): StandardSchemaV1.InferOutput<Schema> | undefined;
export function acceptedContent<const Form extends FormSchema>(
  answers: Answers,
  name: string,
  schema: Form,
): ContentOf<Form> | undefined;
export function acceptedContent(
  answers: Answers,
  name: string,
): Record<string, unknown> | undefined;
export function acceptedContent(
  answers: Answers,
  name: string,
  schema?: StandardSchemaV1 | FormSchema,
): unknown {
  const answer = answers && Object.hasOwn(answers, name) ? answers[name] : undefined;
  if (!isObject(answer) || answer["action"] !== "accept") return undefined;
  const { content = {} } = answer;
  if (schema === undefined) return isObject(content) ? content : undefined;
  if (!("~standard" in schema)) return formIssues(schema, content).length > 0 ? undefined : content;
  const result = schema["~standard"].validate(content);
  if (isThenable(result)) throw new TypeError("acceptedContent needs a synchronous schema");
  return result.issues ? undefined : result.value;
}
