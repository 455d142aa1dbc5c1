import { checkedBy } from "@mcp-codegen/runtime/features";
import { type ContractValidators, validatorsOf } from "./contract-checks.js";
import type { ContractDefinition, ServerContract } from "./server-contract.js";

/** Handlers of a contract by the names of its tools and prompts, and the URIs of its resources and templates. */
export interface ContractHandlers {
  readonly tools?: object;
  readonly prompts?: object;
  readonly resources?: object;
  readonly resourceTemplates?: object;
}

type Register = (name: string, ...rest: unknown[]) => unknown;

interface AnyServer {
  readonly registerTool: Register;
  readonly registerPrompt: Register;
  readonly registerResource: Register;
}

/**
 * Registers everything that a contract has, with its definitions.
 *
 * @param server - an `McpServer`
 * @param templateOf - makes a resource template of its URI template
 * @param validators - checks of arguments and results; the server makes those that are not there
 * @throws TypeError for a handler that is missing, and as the server's methods do
 */
export function implementContract(
  server: object,
  contract: ServerContract,
  handlers: ContractHandlers,
  templateOf: (uriTemplate: string) => object,
  validators: ContractValidators = {},
): void {
  const to = server as AnyServer;
  for (const [definition, key, handler] of entriesOf(contract, "tools", "name", handlers)) {
    const { name: _name, ...config } = definition;
    const { inputSchema, outputSchema } = validatorsOf(validators, key);
    const checks = {
      ...(inputSchema && { validateInput: checkedBy(inputSchema) }),
      ...(outputSchema && { validateOutput: checkedBy(outputSchema) }),
    };
    to.registerTool(key, { ...config, checks }, handler);
  }
  for (const [definition, key, handler] of entriesOf(contract, "prompts", "name", handlers)) {
    const { name: _name, arguments: listed, ...config } = definition;
    const hasArguments = Array.isArray(listed) && listed.length > 0;
    const call = handler as (args: object, context: unknown) => unknown;
    const plain = (context: unknown): unknown => call({}, context);
    to.registerPrompt(
      key,
      hasArguments ? { ...config, arguments: listed } : config,
      hasArguments ? handler : plain,
    );
  }
  for (const [definition, uri, handler] of entriesOf(contract, "resources", "uri", handlers)) {
    const { uri: _uri, name, ...config } = definition;
    to.registerResource(String(name ?? uri), uri, config, handler);
  }
  const templates = entriesOf(contract, "resourceTemplates", "uriTemplate", handlers);
  for (const [definition, template, handler] of templates) {
    const { uriTemplate: _template, name, ...config } = definition;
    to.registerResource(String(name ?? template), templateOf(template), config, handler);
  }
}

type ListName = keyof ContractHandlers;

/** Definitions of a list with their keys and handlers; of several with one key, the first. */
function entriesOf(
  contract: ServerContract,
  list: ListName,
  member: string,
  handlers: ContractHandlers,
): readonly (readonly [definition: ContractDefinition, key: string, handler: unknown])[] {
  const given = (handlers[list] ?? {}) as Readonly<Record<string, unknown>>;
  const seen = new Set<string>();
  return contract[list].flatMap(({ definition }) => {
    const key = String(definition[member]);
    if (seen.has(key)) return [];
    seen.add(key);
    const handler = Object.hasOwn(given, key) ? given[key] : undefined;
    if (typeof handler !== "function") {
      throw new TypeError(`The contract needs a handler at ${list}[${JSON.stringify(key)}]`);
    }
    return [[definition, key, handler] as const];
  });
}
