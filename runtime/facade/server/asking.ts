import type { HandlerContext, InputQuestions, InputRequest } from "../../api/index.js";
import { elicitForm, elicitUrl, withKnownMeta } from "../../features/elicitation/index.js";
import type { FormSchema } from "../../features/index.js";
import { noteElicitation } from "../../features/server/index.js";
import { CapabilityError, InvalidMessageError } from "../../wire/index.js";
import { abilityFor, assertAble, CODE, inWords, whyUnasked } from "./abilities.js";
import type { AskOptions, FormOrSchema, FormQuestion, UrlQuestion } from "./context-types.js";
import { formOf } from "./form-schemas.js";
import { isStandard, readSchema } from "./schemas.js";

/**
 * Returns the answer. If a capability is missing and the revision has no error code for this, the error explains the
 * problem to the client or, inside a tool, to the model.
 */
export async function explained<Answer>(
  answer: Promise<Answer>,
  context: HandlerContext,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw explanationOf(error, context);
  }
}

function explanationOf(error: unknown, { method, session }: HandlerContext): unknown {
  if (!(error instanceof CapabilityError)) return error;
  const hasCode = session.revision.errorCodes[CODE] !== undefined;
  return hasCode ? error : inWords(whyUnasked(session) ?? error.message, method);
}

export function askAny(context: HandlerContext, call: readonly unknown[]): Promise<unknown> {
  noteElicitation(context.session, call[1]);
  const send = context.request as (...call: unknown[]) => Promise<unknown>;
  return send(...call);
}

export async function askForm(
  context: HandlerContext,
  { message, requestedSchema }: FormQuestion<FormOrSchema>,
  { _meta, ...options }: AskOptions,
): Promise<object> {
  assertAble(context, "elicit");
  if (!isStandard(requestedSchema)) {
    const question = { message, requestedSchema: requestedSchema as FormSchema, _meta };
    return elicitForm(context, question, options);
  }
  const { json, parse } = readSchema(requestedSchema, "input", "the requestedSchema");
  const question = { message, requestedSchema: formOf(json), _meta };
  const answer = await elicitForm(context, question, options);
  if (answer.action !== "accept") return answer;
  const parsing = await parse!(answer.content);
  if ("value" in parsing) return { ...answer, content: parsing.value };
  throw new InvalidMessageError(`The response does not match the form: ${parsing.problem}`);
}

export async function askUrl(
  context: HandlerContext,
  { message, url, elicitationId }: UrlQuestion,
  { _meta, ...options }: AskOptions,
): Promise<object> {
  assertAble(context, "elicitUrl");
  const id = elicitationId === undefined ? {} : { elicitationId };
  return elicitUrl(context, { message, url, ...id, _meta }, options);
}

export async function askFor(
  context: HandlerContext,
  method: "sampling/createMessage" | "roots/list",
  params: object | undefined,
  { _meta, ...options }: AskOptions = {},
): Promise<unknown> {
  assertAble(context, abilityFor(method, params)!);
  const { revision } = context.session;
  const sent = _meta === undefined ? params : withKnownMeta(revision, method, { ...params, _meta });
  return askAny(context, [method, sent, options]);
}

export function assertAskable(outcome: InputQuestions, context: HandlerContext): void {
  const requests = (outcome.inputRequests ?? {}) as Readonly<Record<string, InputRequest>>;
  for (const { method, params } of Object.values(requests)) {
    const ability = abilityFor(method, params);
    if (ability) assertAble(context, ability);
    assertExpressible(method, params, context);
    noteElicitation(context.session, params);
  }
}

function assertExpressible(method: string, params: unknown, context: HandlerContext): void {
  const { methods, projection } = context.session.revision;
  const row = methods.get(method);
  try {
    if (row) projection?.down(row, "params")?.(params);
  } catch (error) {
    throw explanationOf(error, context);
  }
}
