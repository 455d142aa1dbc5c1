import { InvalidMessageError } from "../../errors.js";
import { elicitForm, elicitUrl } from "../../features/elicitation/elicit.js";
import type { FormSchema } from "../../features/elicitation/form-schema.js";
import type { HandlerContext } from "../../handlers.js";
import { isObject } from "../../validate.js";
import { assertAble } from "./abilities.js";
import type { AskOptions, FormOrSchema, FormQuestion, UrlQuestion } from "./context-types.js";
import { formOf } from "./form-of.js";
import { isStandard, readSchema } from "./read-schema.js";
import { isShape } from "./schema-of-shape.js";

/** Asks the user to fill in a form, and gives the content as its schema makes it. */
export async function askForm(
  context: HandlerContext,
  { message, requestedSchema }: FormQuestion<FormOrSchema>,
  options?: AskOptions,
): Promise<object> {
  assertAble(context, "elicit");
  if (!isStandard(requestedSchema) && !isShape(requestedSchema)) {
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

/** Asks the client's model. */
export async function askModel(
  context: HandlerContext,
  params: unknown,
  options?: AskOptions,
): Promise<unknown> {
  const hasTools = isObject(params) && (params["tools"] ?? params["toolChoice"]) !== undefined;
  assertAble(context, hasTools ? "sampleWithTools" : "sample");
  return sendOver(context)("sampling/createMessage", params, options);
}

/** Lists the places that the client opens. */
export async function askRoots(context: HandlerContext, options?: AskOptions): Promise<unknown> {
  assertAble(context, "roots");
  return sendOver(context)("roots/list", undefined, options);
}

type Send = (method: string, params: unknown, options?: AskOptions) => Promise<unknown>;

function sendOver({ request }: HandlerContext): Send {
  return request as Send;
}
