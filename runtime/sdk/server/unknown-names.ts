import { type AnyMiddleware, RpcError } from "@mcp-codegen/runtime";
import {
  isOwnError,
  ProtocolErrorCode,
  type StandardSchemaV1,
  type StandardSchemaWithJSON,
} from "../shared/index.js";
import { FAMILIES, invalidParams, type OfferedFamily } from "../shared/internal/index.js";
import type { ArgumentsSchema } from "./adapted-callbacks.js";
import { jsonSchemaOf, parsed, standardOf } from "./schemas/argument-schemas.js";
import type { RegistrationsByKey } from "./registrations.js";

export type AllRegistrations = Readonly<Record<OfferedFamily["name"], RegistrationsByKey<Entry>>>;

interface Entry {
  readonly enabled: boolean;
  readonly definition: object;
  readonly argsSchema?: ArgumentsSchema | undefined;
}

interface Reference {
  readonly type: string;
  readonly name?: string;
  readonly uri?: string;
}

const NO_COMPLETION = { completion: { values: [], hasMore: false } };

const COMPLETE = "completion/complete";

export interface RequestsHost {
  isReplaced(method: string): boolean;
  readable(schema: ArgumentsSchema): ArgumentsSchema;
}

/**
 * Returns middleware that rejects requests for unregistered or disabled items with the SDK's messages. A request for
 * completions of an item without suggestions returns an empty list.
 */
export function unknownNames(all: AllRegistrations, host: RequestsHost): AnyMiddleware {
  return ({ method, params }, next) => {
    if (host.isReplaced(method)) return next();
    if (method === COMPLETE) return completed(all, (params as { ref?: Reference }).ref, next);
    const family = FAMILIES.find(({ use }) => use === method);
    if (family === undefined) return next();
    const key = String((params as Readonly<Record<string, unknown>>)[family.by]);
    const registered = all[family.name];
    // A URI that is not itself registered may match a template.
    if (family.by === "uri") assertEnabled(registered[key], labelOf(family, key));
    else assertUsable(registered, key, family);
    return "reference" in family
      ? rendered(registered[key]!, params as PromptCall, host, next)
      : next();
  };
}

interface PromptCall {
  readonly name: string;
  readonly arguments?: object;
}

/**
 * Renders a prompt. If the runtime rejects the arguments, the schema is applied here as well, because its errors have
 * the SDK's messages.
 */
async function rendered(
  { argsSchema }: Entry,
  { name, arguments: args = {} }: PromptCall,
  { readable }: RequestsHost,
  next: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await next();
  } catch (error) {
    if (argsSchema && isRefusal(error)) {
      await promptArguments(name, standardOf(readable(argsSchema), "argsSchema"), args);
    }
    throw error;
  }
}

/**
 * True for a -32602 error that the runtime created. Errors that handlers throw are instances of this package's classes.
 */
function isRefusal(error: unknown): boolean {
  const isOfRuntime = error instanceof RpcError && !isOwnError(error);
  return isOfRuntime && error.code === ProtocolErrorCode.InvalidParams;
}

function assertUsable(all: RegistrationsByKey<Entry>, key: string, family: OfferedFamily): void {
  const found = all[key];
  if (found === undefined) throw invalidParams(`${labelOf(family, key)} not found`);
  assertEnabled(found, labelOf(family, key));
}

/** Returns the SDK's name for an item, such as `Resource template notes://{id}`. */
function labelOf({ noun }: OfferedFamily, key: string): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${key}`;
}

function assertEnabled(found: Entry | undefined, what: string): void {
  if (found?.enabled === false) throw invalidParams(`${what} disabled`);
}

async function completed(
  all: AllRegistrations,
  ref: Reference | undefined,
  next: () => Promise<unknown>,
): Promise<unknown> {
  const family = FAMILIES.find((one) => "reference" in one && one.reference === ref?.type);
  if (family === undefined) return next();
  if ("templatesOf" in family) {
    const { uri = "" } = ref ?? {};
    if (all[family.templatesOf][uri]) return NO_COMPLETION;
    const isKnown = Object.values(all[family.name]).some((one) => uriTemplateOf(one) === uri);
    if (!isKnown) throw invalidParams(`${labelOf(family, uri)} not found`);
  } else {
    assertUsable(all[family.name], String(ref?.name), family);
  }
  try {
    return await next();
  } catch (error) {
    if (isRefusal(error)) return NO_COMPLETION;
    throw error;
  }
}

function uriTemplateOf({ definition }: Entry): unknown {
  return (definition as { uriTemplate?: unknown }).uriTemplate;
}

export async function promptArguments(
  name: string,
  schema: StandardSchemaV1,
  given: unknown,
): Promise<unknown> {
  const parsing = await parsed(schema, given);
  if ("value" in parsing) return parsing.value;
  throw invalidParams(`Invalid arguments for prompt ${name}: ${parsing.problem}`);
}

const promptSchemas = new WeakMap<object, Map<string, StandardSchemaWithJSON>>();

/** Returns the schema for a prompt's arguments. Its issues have the SDK's messages. */
export function promptSchema(name: string, schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const known = promptSchemas.get(schema) ?? new Map<string, StandardSchemaWithJSON>();
  promptSchemas.set(schema, known);
  const found = known.get(name);
  if (found) return found;
  const { shape, entries } = schema as { shape?: unknown; entries?: unknown };
  const own = {
    ...(shape === undefined ? {} : { shape }),
    ...(entries === undefined ? {} : { entries }),
    "~standard": {
      ...schema["~standard"],
      jsonSchema: {
        input: () => jsonSchemaOf(schema, "input", `the argsSchema of ${JSON.stringify(name)}`),
        output: () => jsonSchemaOf(schema, "output", `the argsSchema of ${JSON.stringify(name)}`),
      },
      validate: async (value: unknown) => ({ value: await promptArguments(name, schema, value) }),
    },
  } satisfies StandardSchemaWithJSON & { shape?: unknown };
  known.set(name, own);
  return own;
}
