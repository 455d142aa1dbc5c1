import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type ContentOf, type FormSchema, formIssues } from "../../features/index.js";
import { isThenable } from "../../ground/index.js";
import { isObject } from "../../wire/index.js";

type Answers = Readonly<Record<string, unknown>> | undefined;

/**
 * Content of an accepted form; undefined when the user did not accept, or the content does not fit. Clients should check
 * what they send (MCP: elicitation), and not all do: without the schema or form that was asked for, the content can be
 * any JSON object.
 *
 * @param answers - `ctx.answers`
 * @param schema - schema of a library, or the form as it was given to `inputRequired.elicit`
 * @throws TypeError for a schema that takes its time to check
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
  const answer = answerTo(answers, name);
  if (answer?.["action"] !== "accept") return undefined;
  const { content = {} } = answer;
  if (schema === undefined) return isObject(content) ? content : undefined;
  if (!("~standard" in schema)) return formIssues(schema, content).length > 0 ? undefined : content;
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
