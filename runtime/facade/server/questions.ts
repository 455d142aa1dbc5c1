import { InvalidMessageError, isObject } from "../../wire/index.js";
import {
  type FormSchema,
  elicitForm,
  elicitUrl,
  startedElicitations,
  withKnownMeta,
} from "../../features/index.js";
import type { HandlerContext, Session } from "../../api/index.js";
import { abilityFor, assertAble } from "./abilities.js";
import type { AskOptions, FormOrSchema, FormQuestion, UrlQuestion } from "./context-types.js";
import { formOf } from "./form-of.js";
import { isOfLibrary, readSchema } from "./read-schema.js";

/** Asks the user to fill in a form, and gives the content as its schema makes it. */
export async function askForm(
  context: HandlerContext,
  { message, requestedSchema }: FormQuestion<FormOrSchema>,
  { _meta, ...options }: AskOptions,
): Promise<object> {
  assertAble(context, "elicit");
  if (!isOfLibrary(requestedSchema)) {
    const question = { message, requestedSchema: requestedSchema as FormSchema, _meta };
    return elicitForm(context, question, options);
  }
  const { json, parse } = readSchema(requestedSchema, "input", "the requestedSchema");
  const question = { message, requestedSchema: formOf(json), _meta };
  const answer = await elicitForm(context, question, options);
  if (answer.action !== "accept") return answer;
  const parsing = await parse!(answer.content);
  if ("value" in parsing) return { ...answer, content: parsing.value };
  throw new InvalidMessageError(`The answer does not fit the form: ${parsing.problem}`);
}

/** Asks to send the user to a web page. */
export async function askUrl(
  context: HandlerContext,
  { message, url, elicitationId }: UrlQuestion,
  { _meta, ...options }: AskOptions,
): Promise<object> {
  assertAble(context, "elicitUrl");
  const id = elicitationId === undefined ? {} : { elicitationId };
  return elicitUrl(context, { message, url, ...id, _meta }, options);
}

/** Takes note of an elicitation that a handler starts by its own message, so that its completion finds the client. */
export function noteElicitation(session: Session, params: unknown): void {
  const id = isObject(params) ? params["elicitationId"] : undefined;
  if (typeof id === "string") startedElicitations.add(session, id);
}

/** Asks what has no function of its own. */
export async function askFor(
  context: HandlerContext,
  method: "sampling/createMessage" | "roots/list",
  params: object | undefined,
  { _meta, ...options }: AskOptions = {},
): Promise<unknown> {
  assertAble(context, abilityFor(method, params)!);
  const send = context.request as (...call: unknown[]) => Promise<unknown>;
  const { revision } = context.session;
  const sent = _meta === undefined ? params : withKnownMeta(revision, method, { ...params, _meta });
  return send(method, sent, options);
}
