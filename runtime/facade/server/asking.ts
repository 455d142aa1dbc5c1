import {
  type HandlerContext,
  type InputRequest,
  isInputRequired,
  type Session,
} from "../../api/index.js";
import {
  elicitForm,
  elicitUrl,
  type FormSchema,
  startedElicitations,
  withKnownMeta,
} from "../../features/index.js";
import { CapabilityError, InvalidMessageError, isObject, quote } from "../../wire/index.js";
import { abilityFor, assertAble, refusalOf } from "./abilities.js";
import type { AskOptions, FormOrSchema, FormQuestion, UrlQuestion } from "./context-types.js";
import { isOfLibrary, readSchema } from "./schemas.js";

/** Requests that the user fills in a form, and returns the output of its schema. */
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

/** Requests to send the user to a web page. */
export async function askUrl(
  context: HandlerContext,
  { message, url, elicitationId }: UrlQuestion,
  { _meta, ...options }: AskOptions,
): Promise<object> {
  assertAble(context, "elicitUrl");
  const id = elicitationId === undefined ? {} : { elicitationId };
  return elicitUrl(context, { message, url, ...id, _meta }, options);
}

/** Sends a request that has no separate function to the client. */
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

/**
 * Asserts that the client can answer the requests that a handler returned.
 * @throws the errors of sending them
 */
export function assertAskable(outcome: unknown, context: HandlerContext): void {
  if (!isInputRequired(outcome)) return;
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
    throw error instanceof CapabilityError ? refusalOf(error, context) : error;
  }
}

/** Records an elicitation that a handler starts by a message of its own, so that its completion reaches the client. */
export function noteElicitation(session: Session, params: unknown): void {
  const id = isObject(params) ? params["elicitationId"] : undefined;
  if (typeof id === "string") startedElicitations.add(session, id);
}

/** The form of a question: as it is, or converted from a schema of a library. */
export function formFor(schema: FormOrSchema): FormSchema {
  return isOfLibrary(schema)
    ? formOf(readSchema(schema, "input", "the requestedSchema").json)
    : (schema as FormSchema);
}

/** Keywords that a field of a form can have, by its type (MCP: elicitation, requested schema). */
const COMMON = ["type", "title", "description", "default"];
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "format", "enum", "enumNames", "oneOf"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  boolean: [],
  array: ["items", "minItems", "maxItems"],
};
const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/**
 * Converts the JSON Schema of an object to a form, without keywords that forms lack; the schema checks these when the answer
 * is received.
 *
 * @throws TypeError if a property cannot be a field
 */
function formOf({ properties, required }: Record<string, unknown>): FormSchema {
  if (!isObject(properties)) throw new TypeError("A form needs a schema of an object");
  const fields = Object.entries(properties).map(([name, schema]) => [name, fieldOf(name, schema)]);
  const form = { type: "object", properties: Object.fromEntries(fields) as object };
  const hasRequired = Array.isArray(required) && required.length > 0;
  return (hasRequired ? { ...form, required } : form) as FormSchema;
}

function fieldOf(name: string, schema: unknown): object {
  const field = isObject(schema) ? withChoices(schema) : {};
  const keywords = typeof field["type"] === "string" ? KEYWORDS[field["type"]] : undefined;
  if (keywords === undefined || (field["type"] === "array" && !isChoice(field["items"]))) {
    throw new TypeError(
      `${quote(name)} is no field of a form: use text, a number, a yes or no, or a choice`,
    );
  }
  const known = [...COMMON, ...keywords].filter((keyword) => isKnown(keyword, field[keyword]));
  return Object.fromEntries(known.map((keyword) => [keyword, field[keyword]]));
}

function isKnown(keyword: string, value: unknown): boolean {
  return value !== undefined && (keyword !== "format" || FORMATS.has(value));
}

/** Some libraries write a choice as alternatives of one constant each. */
function withChoices(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, const: only, ...others } = schema;
  if (typeof only === "string") return { ...others, type: "string", enum: [only] };
  if (!Array.isArray(anyOf)) {
    return schema["type"] === undefined && isTexts(schema["enum"])
      ? { ...schema, type: "string" }
      : schema;
  }
  const constants = anyOf.map((one: unknown) => (isObject(one) ? one["const"] : undefined));
  return isTexts(constants) ? { ...others, type: "string", enum: constants } : schema;
}

function isChoice(items: unknown): boolean {
  return isObject(items) && (isTexts(items["enum"]) || Array.isArray(items["anyOf"]));
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === "string");
}
