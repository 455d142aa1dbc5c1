import {
  type PromptDefinition,
  type PromptHandler,
  type Schemas,
  checkOf,
} from "../../features/index.js";
import type { HandlerContext } from "../../api/index.js";
import { isObject, quote } from "../../wire/index.js";
import { invalidParams, summarize } from "../../engine/index.js";
import type { AccessConfig } from "./access-rule.js";
import { assertAskable } from "./assert-askable.js";
import { definedOnly } from "./defined-only.js";
import type { MakeContext } from "./facade-context.js";
import type { AnyTypes } from "./neutral-types.js";
import { promptResult } from "./prompt-result.js";
import { type Parsing, readSchema, type ReadSchema } from "./read-schema.js";
import type { AnySchema } from "./schema-types.js";
import { whenDone } from "./when-done.js";

/** A prompt as it is registered. */
export interface PromptSpec extends AccessConfig<AnyTypes> {
  readonly name: string;
  readonly argsSchema?: AnySchema | undefined;
  readonly arguments?: PromptDefinition["arguments"] | undefined;
  readonly handler: (...args: never[]) => unknown;
}

/** A prompt as the feature takes it. */
export interface AdaptedPrompt {
  readonly definition: PromptDefinition;
  readonly handler: PromptHandler<unknown>;
}

/** @throws TypeError for what is no schema or cannot be checked, and for a handler that is none */
export function adaptPrompt(
  given: PromptSpec,
  contextOf: MakeContext,
  schemas: Schemas,
): AdaptedPrompt {
  const { name, argsSchema, arguments: listed, handler: callback, ...others } = given;
  const { visible: _, scopes: __, ...described } = others;
  if (typeof callback !== "function") {
    throw new TypeError(
      `The handler of the prompt ${quote(name)} is not a function: registerPrompt(name, config, handler)`,
    );
  }
  const whose = `the argsSchema of ${quote(name)}`;
  const schema = argsSchema && readSchema(argsSchema, "input", whose);
  const call = callback as (...args: unknown[]) => unknown;
  const definition: PromptDefinition = {
    name,
    ...definedOnly(described),
    ...(listed ? { arguments: listed } : {}),
    ...(schema ? { arguments: argumentsOf(schema.json, whose) } : {}),
  };
  if (schema !== undefined && listed !== undefined) {
    throw new TypeError(`The prompt ${quote(name)} has an argsSchema and arguments: give one`);
  }
  if (listed !== undefined) {
    const handler: PromptHandler<unknown> = (args, context) =>
      finish(call(args, contextOf(context)), context);
    return { definition, handler };
  }
  if (schema === undefined) {
    return { definition, handler: (_args, context) => finish(call(contextOf(context)), context) };
  }
  const parse = schema.parse ?? checked(schema, schemas, whose);
  const handler: PromptHandler<unknown> = (args, context) => {
    const ctx = contextOf(context);
    const render = (parsing: Parsing): unknown => {
      if ("value" in parsing) return finish(call(parsing.value, ctx), context);
      throw invalidParams(`the arguments of the prompt ${quote(name)}: ${parsing.problem}`);
    };
    return whenDone(parse(args), render);
  };
  return { definition, handler };
}

function finish(outcome: unknown, context: HandlerContext): unknown {
  return whenDone(outcome, (value) => {
    assertAskable(value, context);
    return promptResult(value);
  });
}

function checked(
  { json }: ReadSchema,
  schemas: Schemas,
  whose: string,
): NonNullable<ReadSchema["parse"]> {
  const check = checkOf(json, schemas, whose);
  return (value) => {
    const issues = check?.(value);
    return issues ? { problem: summarize(issues) } : { value };
  };
}

/** The properties of a schema as clients know them: by name, all of them text. */
function argumentsOf(
  { properties, required }: Record<string, unknown>,
  whose: string,
): PromptDefinition["arguments"] & object {
  if (!isObject(properties))
    throw new TypeError(`${whose} is no schema of an object with properties`);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => {
    const { title, description } = isObject(property) ? property : {};
    return { name, ...definedOnly({ title, description }), required: needed.includes(name) };
  });
}
