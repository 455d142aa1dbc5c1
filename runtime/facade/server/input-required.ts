import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type InputRequest,
  type InputRequired,
  inputRequired as required,
} from "../../rounds/input-required.js";
import { isThenable } from "../../thenable.js";
import { isObject } from "../../validate.js";
import type { FormOrSchema, FormQuestion, UrlQuestion } from "./context-types.js";
import { formOf } from "./form-of.js";
import { isStandard, readSchema } from "./read-schema.js";
import { isShape } from "./schema-of-shape.js";

/** What a handler needs before it can give its result: questions, something to remember, or both. */
export interface Needed {
  /** By names of your choice. */
  readonly requests?: Readonly<Record<string, InputRequest>> | undefined;
  /** Another name for `requests`. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>> | undefined;
  /** Anything that can be written as JSON; nobody but this server can read or change it on its way. */
  readonly state?: unknown;
  /** Another name for `state`. */
  readonly requestState?: unknown;
}

interface MakeQuestions {
  /**
   * What a handler returns that has to ask the client first. It is called again with the answers in `ctx.answers` and
   * the state in `ctx.state`, at every revision (MCP: multi round trips).
   *
   * @throws TypeError when there is nothing to ask and nothing to remember
   */
  (needed: Needed): InputRequired;
  /**
   * Asks the user to fill in a form.
   * @throws TypeError for what is no form
   */
  readonly elicit: (question: FormQuestion<FormOrSchema>) => InputRequest;
  /** Asks to send the user to a web page. */
  readonly elicitUrl: (question: UrlQuestion) => InputRequest;
  /** Asks the client's model. */
  readonly createMessage: (params: object) => InputRequest;
  /** Lists the places that the client opens. */
  readonly listRoots: () => InputRequest;
}

export const inputRequired: MakeQuestions = /* @__PURE__ */ Object.assign(
  ({ requests, inputRequests, state, requestState }: Needed) =>
    required({ requests: requests ?? inputRequests, state: state ?? requestState }),
  {
    elicit: ({ message, requestedSchema }: FormQuestion<FormOrSchema>): InputRequest => ({
      method: "elicitation/create",
      params: { message, requestedSchema: formFor(requestedSchema) },
    }),
    elicitUrl: ({ message, url }: UrlQuestion): InputRequest => ({
      method: "elicitation/create",
      params: { mode: "url", message, url },
    }),
    createMessage: (params: object): InputRequest => ({ method: "sampling/createMessage", params }),
    listRoots: (): InputRequest => ({ method: "roots/list" }),
  },
);

type Answers = Readonly<Record<string, unknown>> | undefined;

/**
 * What a user has filled in, if they did; undefined else, and for what does not fit the schema.
 *
 * @param answers - `ctx.answers`
 * @throws TypeError for a schema that takes its time to check
 */
export function acceptedContent<Schema extends StandardSchemaV1>(
  answers: Answers,
  name: string,
  schema: Schema,
): StandardSchemaV1.InferOutput<Schema> | undefined;
export function acceptedContent(
  answers: Answers,
  name: string,
): Record<string, unknown> | undefined;
export function acceptedContent(
  answers: Answers,
  name: string,
  schema?: StandardSchemaV1,
): unknown {
  const answer = answerTo(answers, name);
  if (answer?.["action"] !== "accept") return undefined;
  const { content = {} } = answer;
  if (schema === undefined) return isObject(content) ? content : undefined;
  const result = schema["~standard"].validate(content);
  if (isThenable(result)) throw new TypeError("acceptedContent needs a schema that checks at once");
  return result.issues ? undefined : result.value;
}

/** An answer and what it is of. */
export type AnswerView =
  | { readonly kind: "missing" }
  | {
      readonly kind: "elicit";
      readonly action: "accept" | "decline" | "cancel";
      readonly content?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "sampling"; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: "roots"; readonly roots: readonly unknown[] };

/** An answer, by what it looks like. */
export function inputResponse(answers: Answers, name: string): AnswerView {
  const answer = answerTo(answers, name);
  if (answer === undefined) return { kind: "missing" };
  const { action, roots } = answer;
  if (action === "accept" || action === "decline" || action === "cancel") {
    const { content } = answer;
    return { kind: "elicit", action, ...(isObject(content) ? { content } : {}) };
  }
  if (Array.isArray(roots)) return { kind: "roots", roots };
  const isMessage = "role" in answer && "content" in answer;
  return isMessage ? { kind: "sampling", result: answer } : { kind: "missing" };
}

function answerTo(answers: Answers, name: string): Record<string, unknown> | undefined {
  const answer = answers && Object.hasOwn(answers, name) ? answers[name] : undefined;
  return isObject(answer) ? answer : undefined;
}

function formFor(schema: FormOrSchema): object {
  const isOfLibrary = isStandard(schema) || isShape(schema);
  return isOfLibrary ? formOf(readSchema(schema, "input", "the requestedSchema").json) : schema;
}
