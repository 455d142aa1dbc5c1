import { type AnyMiddleware, RpcError } from "@mcp-codegen/runtime";
import {
  isOwnError,
  ProtocolError,
  ProtocolErrorCode,
  type StandardSchemaV1,
  type StandardSchemaWithJSON,
} from "../shared/index.js";
import type { ArgumentsSchema } from "./adapted-callbacks.js";
import { jsonSchemaOf, parsed, standardOf } from "./schemas/argument-schemas.js";
import type { RegistrationsByKey } from "./registrations.js";

/** Registrations of a server, as far as requests refer to them. */
export interface AllRegistrations {
  readonly tools: RegistrationsByKey<Entry>;
  readonly prompts: RegistrationsByKey<
    Entry & { readonly argsSchema?: ArgumentsSchema | undefined }
  >;
  readonly resources: RegistrationsByKey<Entry>;
  readonly templates: RegistrationsByKey<Entry & { readonly definition: object }>;
}

interface Entry {
  readonly enabled: boolean;
}

interface Reference {
  readonly type: "ref/prompt" | "ref/resource";
  readonly name?: string;
  readonly uri?: string;
}

const NO_COMPLETION = { completion: { values: [], hasMore: false } };

const METHODS: readonly string[] = [
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
];

/** Functions of the server that requests for registrations need. */
export interface RequestsHost {
  /** True for a method whose handler the program has set itself. */
  isReplaced(method: string): boolean;
  /** Converts the schemas of a library to Standard Schemas. */
  readable(schema: ArgumentsSchema): ArgumentsSchema;
}

/**
 * Middleware that rejects requests for names that are not registered, or disabled, in the words of the SDK, and
 * completes what has no completions with an empty list.
 */
export function unknownNames(all: AllRegistrations, host: RequestsHost): AnyMiddleware {
  return ({ method, params }, next) => {
    if (!METHODS.includes(method) || host.isReplaced(method)) return next();
    const { name, uri, ref } = params as { name?: string; uri?: string; ref?: Reference };
    if (method === "tools/call") assertUsable(all.tools, name, "Tool");
    else if (method === "prompts/get")
      return rendered(all.prompts, params as PromptCall, host, next);
    else if (method === "resources/read")
      assertEnabled(all.resources[uri ?? ""], `Resource ${uri}`);
    else return completed(all, ref, next);
    return next();
  };
}

interface PromptCall {
  readonly name: string;
  readonly arguments?: object;
}

/** The runtime rejects missing arguments before the schema sees them, which has the words of the SDK. */
async function rendered(
  prompts: AllRegistrations["prompts"],
  { name, arguments: args = {} }: PromptCall,
  { readable }: RequestsHost,
  next: () => Promise<unknown>,
): Promise<unknown> {
  assertUsable(prompts, name, "Prompt");
  try {
    return await next();
  } catch (error) {
    const { argsSchema } = prompts[name] ?? {};
    if (argsSchema && isRefusal(error)) {
      await promptArguments(name, standardOf(readable(argsSchema), "argsSchema"), args);
    }
    throw error;
  }
}

/** True for -32602 of the runtime; errors of handlers are of this package. */
function isRefusal(error: unknown): boolean {
  const isOfRuntime = error instanceof RpcError && !isOwnError(error);
  return isOfRuntime && error.code === ProtocolErrorCode.InvalidParams;
}

function assertUsable(
  all: RegistrationsByKey<Entry>,
  name: string | undefined,
  kind: string,
): void {
  const found = all[name ?? ""];
  if (found === undefined) throw invalid(`${kind} ${name} not found`);
  assertEnabled(found, `${kind} ${name}`);
}

function assertEnabled(found: Entry | undefined, what: string): void {
  if (found?.enabled === false) throw invalid(`${what} disabled`);
}

async function completed(
  { prompts, resources, templates }: AllRegistrations,
  ref: Reference | undefined,
  next: () => Promise<unknown>,
): Promise<unknown> {
  const { name, uri = "" } = ref ?? {};
  if (ref?.type === "ref/prompt") assertUsable(prompts, name, "Prompt");
  else if (resources[uri]) return NO_COMPLETION;
  else if (!Object.values(templates).some((one) => uriTemplateOf(one) === uri)) {
    throw invalid(`Resource template ${uri} not found`);
  }
  try {
    return await next();
  } catch (error) {
    if (isRefusal(error)) return NO_COMPLETION;
    throw error;
  }
}

function uriTemplateOf({ definition }: { readonly definition: object }): unknown {
  return (definition as { uriTemplate?: unknown }).uriTemplate;
}

function invalid(text: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

/**
 * Arguments of a prompt, parsed.
 * @throws ProtocolError -32602 if they violate the schema
 */
export async function promptArguments(
  name: string,
  schema: StandardSchemaV1,
  given: unknown,
): Promise<unknown> {
  const parsing = await parsed(schema, given);
  if ("value" in parsing) return parsing.value;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Invalid arguments for prompt ${name}: ${parsing.problem}`,
  );
}

const promptSchemas = new WeakMap<object, Map<string, StandardSchemaWithJSON>>();

/** Schema of the arguments of a prompt, whose problems have the words of the SDK. */
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
