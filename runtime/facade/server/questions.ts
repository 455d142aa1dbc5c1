import { InvalidMessageError } from "../../wire/index.js";
import { type FormSchema, elicitForm, elicitUrl } from "../../features/index.js";
import type { HandlerContext } from "../../api/index.js";
import { abilityFor, assertAble } from "./abilities.js";
import type { AskOptions, FormOrSchema, FormQuestion, UrlQuestion } from "./context-types.js";
import { formOf } from "./form-of.js";
import { isOfLibrary, readSchema } from "./read-schema.js";

/** Asks the user to fill in a form, and gives the content as its schema makes it. */
export async function askForm(
  context: HandlerContext,
  { message, requestedSchema }: FormQuestion<FormOrSchema>,
  options?: AskOptions,
): Promise<object> {
  assertAble(context, "elicit");
  if (!isOfLibrary(requestedSchema)) {
    const question = { message, requestedSchema: requestedSchema as FormSchema };
    return elicitForm(context, question, options);
  }
  const { json, parse } = readSchema(requestedSchema, "input", "the requestedSchema");
  const answer = await elicitForm(context, { message, requestedSchema: formOf(json) }, options);
  if (answer.action !== "accept") return answer;
  const parsing = await parse!(answer.content);
  if ("value" in parsing) return { ...answer, content: parsing.value };
  throw new InvalidMessageError(`The answer does not fit the form: ${parsing.problem}`);
}

/** Asks to send the user to a web page. */
export async function askUrl(
  context: HandlerContext,
  question: UrlQuestion,
  options?: AskOptions,
): Promise<object> {
  assertAble(context, "elicitUrl");
  return elicitUrl(context, question, options);
}

/** Asks what has no function of its own. */
export async function askFor(
  context: HandlerContext,
  method: "sampling/createMessage" | "roots/list",
  params: unknown,
  options?: AskOptions,
): Promise<unknown> {
  assertAble(context, abilityFor(method, params)!);
  const send = context.request as (...call: unknown[]) => Promise<unknown>;
  return send(method, params, options);
}
