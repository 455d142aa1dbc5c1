import type { Validator } from "@mcp-codegen/runtime";
import { checkedBy } from "@mcp-codegen/runtime/features";
import { type ContractValidators, validatorsOf } from "./contract-error.js";
import { type ContractList, entryKind, FAMILIES, LISTS } from "./families.js";
import { isObject } from "./json.js";
import type { ContractDefinition, ServerContract } from "./server-contract.js";

/** The handlers for a contract: for each list, an object that maps the names or URIs of its entries to handlers. */
export type ContractHandlers = { readonly [List in ContractList]?: object };

type Register = (name: string, ...rest: unknown[]) => unknown;

interface AnyServer {
  readonly registerTool: Register;
  readonly registerPrompt: Register;
  readonly registerResource: Register;
  registerItem(method: string, item: object, handler: Handler): unknown;
  setHandler(method: string, handler: (...args: never[]) => unknown): void;
}

type Handler = (...args: unknown[]) => unknown;

type Entry = readonly [definition: ContractDefinition, key: string, handler: Handler];

/**
 * Registers all of a contract's entries with a server, using the contract's definitions.
 *
 * @param server - an `McpServer`
 * @param templateOf - creates a resource template from its URI template
 * @param validators - the validators for arguments and results; the server compiles any that are missing
 * @throws TypeError if a handler is missing; any error from the server's methods
 */
export function implementContract(
  server: object,
  contract: ServerContract,
  handlers: ContractHandlers,
  templateOf: (uriTemplate: string) => object,
  validators: ContractValidators = {},
): void {
  const to = server as AnyServer;
  for (const list of LISTS) {
    const entries = entriesOf(contract, list, handlers);
    switch (entryKind(list)) {
      case "tool":
        for (const entry of entries) registerTool(to, entry, validators);
        break;
      case "prompt":
        for (const entry of entries) registerPrompt(to, entry);
        break;
      case "resource":
      case "template":
        for (const [definition, key, handler] of entries) {
          const { uri, uriTemplate: _template, name, ...config } = definition;
          const place = uri === undefined ? templateOf(key) : key;
          to.registerResource(String(name ?? key), place, { ...config, isOpen: true }, handler);
        }
        break;
      case "other":
        if (entries.length > 0) registerOther(to, list, entries);
    }
  }
}

function registerTool(
  to: AnyServer,
  [definition, key, handler]: Entry,
  validators: ContractValidators,
): void {
  const { name: _name, ...config } = definition;
  const { inputSchema, outputSchema } = validatorsOf(validators, key);
  const schema = definition["outputSchema"];
  const isAmbiguous = RESULT_MEMBERS.some((name) => hasProperty(schema, name, schema));
  const checks = {
    ...(inputSchema && { validateInput: checkedBy(inputSchema) }),
    ...(outputSchema && { validateOutput: checkedBy(outputSchema) }),
  };
  to.registerTool(
    key,
    { ...config, checks, isOpen: true },
    isAmbiguous ? structuredBy(handler, outputSchema) : handler,
  );
}

/** Members that identify a complete result, unless the output schema describes properties with these names. */
const RESULT_MEMBERS = ["content", "structuredContent", "isError", "resultType"];

/** Returns true if a schema describes a property with this name at the top level of its values. */
function hasProperty(schema: unknown, name: string, root: unknown, seen = new Set()): boolean {
  if (!isObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  const { properties, $ref } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword): unknown[] => {
    const branches = schema[keyword];
    return Array.isArray(branches) ? branches : [];
  });
  if (typeof $ref === "string" && $ref.startsWith("#")) {
    const steps = $ref.split("/").slice(1);
    parts.push(steps.reduce((at, step) => (isObject(at) ? at[step] : undefined), root));
  }
  return parts.some((part) => hasProperty(part, name, root, seen));
}

/**
 * Wraps a handler. If it returns a plain object, that is used as structured content, provided that the output validator
 * accepts it or, without a validator, that it does not look like a complete result. Any other value is used as a
 * complete result.
 */
function structuredBy(handler: Handler, validator: Validator | undefined): Handler {
  const isStructured = (value: unknown): boolean =>
    isPlain(value) && (validator ? validator(value) : !isWholeResult(value));
  const finish = (value: unknown): unknown =>
    isStructured(value) ? { structuredContent: value } : value;
  return async (...args) => finish(await handler(...args));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);
}

function isWholeResult(value: Readonly<Record<string, unknown>>): boolean {
  const { content, structuredContent, isError } = value;
  return structuredContent !== undefined || (isError === true && Array.isArray(content));
}

function registerPrompt(to: AnyServer, [definition, key, handler]: Entry): void {
  const { name: _name, arguments: listed, ...members } = definition;
  const config = { ...members, isOpen: true };
  const hasArguments = Array.isArray(listed) && listed.length > 0;
  const plain = (context: unknown): unknown => handler({}, context);
  if (hasArguments) to.registerPrompt(key, { ...config, arguments: listed }, handler);
  else to.registerPrompt(key, config, plain);
}

/** Registers the entries of a family for which `McpServer` does not have a dedicated method. */
function registerOther(to: AnyServer, list: ContractList, entries: readonly Entry[]): void {
  const { list: method, name, use } = FAMILIES[list];
  if (use === undefined) {
    return to.setHandler(method, () => ({ [name]: entries.map(([definition]) => definition) }));
  }
  for (const [definition, , handler] of entries)
    to.registerItem(use, { ...definition, isOpen: true }, (_params, context) => handler(context));
}

/**
 * Returns a list's definitions with their keys and handlers. If several definitions have the same key, only the first
 * is returned.
 */
function entriesOf(
  contract: ServerContract,
  list: ContractList,
  handlers: ContractHandlers,
): readonly Entry[] {
  const byKey = (handlers[list] ?? {}) as Readonly<Record<string, unknown>>;
  const isUsed = FAMILIES[list].use !== undefined;
  const seen = new Set<string>();
  return (contract[list] ?? []).flatMap(({ definition }): Entry[] => {
    const key = String(definition[FAMILIES[list].key]);
    if (seen.has(key)) return [];
    seen.add(key);
    const handler = Object.hasOwn(byKey, key) ? byKey[key] : undefined;
    if (isUsed && typeof handler !== "function") {
      throw new TypeError(`The contract needs a handler at ${list}[${JSON.stringify(key)}]`);
    }
    return [[definition, key, handler as Handler]];
  });
}
