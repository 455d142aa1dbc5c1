import type { HandlerContext } from "../../api/index.js";
import { invalidParams, summarize } from "../../engine/index.js";
import type {
  PromptDefinition,
  PromptHandler,
  PromptOptions,
  Prompts,
} from "../../features/index.js";
import { checkOf, PROMPTS } from "../../features/server/index.js";
import { isThenable, quiet, sentence, whenDone } from "../../ground/index.js";
import { isObject, quote } from "../../wire/index.js";
import type { AnyTypes } from "../neutral-types.js";
import { completersIn, propertiesOf } from "./completable.js";
import { askable } from "./facade-context.js";
import {
  type AccessConfig,
  adaptCompleters,
  type Adapted,
  callbackOf,
  described,
  type Kind,
  type RegistrationHost,
  type SomeCompleters,
} from "./registration.js";
import type { AnySchema } from "./schema-types.js";
import { isStandard, readSchema, type ReadSchema } from "./schemas.js";

export interface PromptSpec extends AccessConfig<AnyTypes> {
  readonly name: string;
  readonly argsSchema?: AnySchema | undefined;
  readonly arguments?: PromptDefinition["arguments"] | undefined;
  readonly complete?: SomeCompleters | undefined;
  readonly handler: unknown;
}

type PromptParts = [handler: PromptHandler<unknown>, options: PromptOptions<HandlerContext>];

export function promptKind(
  prompts: Prompts<PromptDefinition, unknown>,
  host: RegistrationHost,
): Kind<PromptSpec, PromptDefinition, PromptParts> {
  return {
    family: PROMPTS,
    feature: PROMPTS.name,
    names: ["handler", "argsSchema", "complete"],
    adapt: (given) => adaptPrompt(given, host),
    add: (definition, handler, options) => prompts.add(definition, handler, options),
  };
}

function adaptPrompt(
  given: PromptSpec,
  host: RegistrationHost,
): Adapted<PromptDefinition, PromptParts> {
  const { name, argsSchema, arguments: listed, complete, handler, ...others } = given;
  const what = `the prompt ${quote(name)}`;
  const call = callbackOf(
    handler,
    `The handler of ${what}`,
    "registerPrompt(name, config, handler)",
  );
  if (argsSchema !== undefined && listed !== undefined) {
    throw new TypeError(`The prompt ${quote(name)} has an argsSchema and arguments: pass one`);
  }
  const whose = `the argsSchema of ${quote(name)}`;
  const schema = argsSchema === undefined ? undefined : readSchema(argsSchema, "input", whose);
  const args = schema ? argumentsOf(schema.json, propertiesOf(argsSchema), whose) : listed;
  const completers = adaptCompleters({ ...completersIn(argsSchema), ...complete }, host.contextOf);
  return {
    definition: { name, ...described(others), ...(args && { arguments: args }) },
    given: [
      compileHandler(name, call, schema ? parserOf(schema, host, whose) : listed, host),
      { complete: completers },
    ],
    completes: completers !== undefined,
  };
}

type Parse = NonNullable<ReadSchema["parse"]>;

function compileHandler(
  name: string,
  callback: (...args: unknown[]) => unknown,
  args: Parse | PromptDefinition["arguments"],
  { contextOf }: RegistrationHost,
): PromptHandler<unknown> {
  if (args === undefined) return (_, context) => finished(callback(contextOf(context)), context);
  if (typeof args !== "function") {
    return (values, context) => finished(callback(values, contextOf(context)), context);
  }
  return (values, context) =>
    whenDone(args(values), (parsing) => {
      if ("value" in parsing) return finished(callback(parsing.value, contextOf(context)), context);
      throw invalidParams(`the arguments of the prompt ${quote(name)}: ${parsing.problem}`);
    });
}

function finished(outcome: unknown, context: HandlerContext): unknown {
  return whenDone(outcome, (value) => askable(value, context, promptResult));
}

function parserOf(
  { json, parse }: ReadSchema,
  { schemas }: RegistrationHost,
  whose: string,
): Parse {
  if (parse) return parse;
  const check = checkOf(json, schemas, whose);
  return (value) =>
    whenDone(check?.(value), (issues) => (issues ? { problem: summarize(issues) } : { value }));
}

function argumentsOf(
  { properties, required }: Record<string, unknown>,
  schemas: Readonly<Record<string, unknown>>,
  whose: string,
): NonNullable<PromptDefinition["arguments"]> {
  if (!isObject(properties)) {
    throw new TypeError(`${sentence(whose)} must be the schema of an object with properties`);
  }
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => {
    const { title, description, type } = isObject(property) ? property : {};
    if (type !== undefined && !acceptsText(type, schemas[name])) {
      throw new TypeError(
        `${quote(name)} in ${whose} does not accept strings, but clients send the arguments of prompts as strings: ` +
          `convert it, as z.coerce.number() does`,
      );
    }
    return { name, ...described({ title, description }), required: needed.includes(name) };
  });
}

/** The strings to try on a schema. A schema that converts strings to another type accepts at least one of them. */
const TEXTS = ["1", "true", "null", "{}", "[]", ""];

/**
 * Returns true if an argument's schema accepts strings, or if it is asynchronous and cannot be tested. Its JSON Schema
 * alone does not show whether the schema converts strings.
 */
function acceptsText(type: unknown, schema: unknown): boolean {
  if ([type].flat().includes("string")) return true;
  if (!isStandard(schema)) return false;
  return TEXTS.some((text) => {
    const result = schema["~standard"].validate(text);
    if (!isThenable(result)) return result.issues === undefined;
    return Boolean(quiet(result));
  });
}

function promptResult(outcome: unknown): unknown {
  if (typeof outcome === "string") {
    return { messages: [withBlock({ role: "user", content: outcome })] };
  }
  if (Array.isArray(outcome)) return { messages: outcome.map(withBlock) };
  if (!isObject(outcome) || !Array.isArray(outcome["messages"])) return outcome;
  return { ...outcome, messages: outcome["messages"].map(withBlock) };
}

function withBlock(message: unknown): unknown {
  if (!isObject(message) || typeof message["content"] !== "string") return message;
  return { ...message, content: { type: "text", text: message["content"] } };
}
