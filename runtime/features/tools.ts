import type { AnyHandler, Feature, FeatureHost, HandlerContext } from "../api/index.js";
import { METHOD_NOT_FOUND, RpcError, isObject, quote } from "../wire/index.js";
import { type ParamHeader, paramHeadersOf } from "../wire/param-headers/index.js";
import { Registry } from "./registry.js";
import type { Family } from "./registry-types.js";
import { assertSchemas, checkOf, type DeferredCheck } from "./schema-checks.js";
import { type CallOptions, type CallTool, compileCall } from "./tool-calls.js";
import type {
  StructuredContent,
  TaskRule,
  ToolArguments,
  ToolCall,
  ToolChecks,
  ToolDefinition,
  ToolHandler,
  ToolRegistration,
  ToolSchema,
  ToolsOptions,
  TypedTool,
} from "./tool-types.js";

export const TOOLS: Family = {
  noun: "tool",
  list: "tools/list",
  name: "tools",
  key: "name",
  changed: "notifications/tools/list_changed",
};

/** Matches the names that all clients and models can be expected to accept. */
const GOOD_NAME = /^[\w.-]{1,128}$/;

interface Behaviour {
  readonly call: CallTool;
  /** The arguments that HTTP requests mirror in header fields. */
  readonly paramHeaders: readonly ParamHeader[];
  readonly task: TaskRule;
}

/**
 * The tools of a server: lists them, checks their arguments and results, and calls them. Pass it with the option
 * `features` (MCP: tools).
 *
 * @example
 * ```ts
 * import { Server, type Tool } from "@mcp-codegen/2025-11-25";
 * import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
 *
 * const tools = new Tools<Tool>({ schemas: jsonSchemas() });
 * tools.add({ name: "ping", inputSchema: { type: "object" } }, () => ({
 *   content: [{ type: "text", text: "pong" }],
 * }));
 * const server = new Server({ name: "notes", version: "1.0.0" }, {}, { features: [tools] });
 * ```
 *
 * @typeParam Tool - the revision's definition of a tool
 * @typeParam Result - `CallToolResult` of the revision
 * @typeParam Context - parameter of handlers: `ServerContext` of the revision
 */
export class Tools<
  Tool extends ToolDefinition = ToolDefinition,
  Result = object,
  Context = HandlerContext,
> implements Feature {
  readonly capabilities: object = { tools: { listChanged: true } };
  readonly handlers: Readonly<Record<string, AnyHandler>> = {
    "tools/list": (params, context) =>
      this.#registry.list(params, context, this.#listedFor(context)),
    "tools/call": (given, context) => {
      const params = given as ToolCall;
      const { call, task } = this.#registry.find(params.name, context).behaviour;
      if (params.task !== undefined || task.support === "required")
        assertTaskRule(params, task, context);
      return call(params, context);
    },
  };
  /** True if HTTP requests mirror arguments of at least one tool in header fields. */
  repeatsArguments = false;
  readonly #options: ToolsOptions;
  readonly #callOptions: CallOptions;
  readonly #registry: Registry<
    Tool,
    [handler: ToolHandler<Result, Context>, checks: ToolChecks],
    Behaviour
  >;
  /** Maps each list of definitions to a copy whose definitions lack the members that concern tasks. */
  readonly #withoutTasks = new WeakMap<readonly Tool[], readonly Tool[]>();
  #host: FeatureHost | undefined;

  /**
   * Creates the feature.
   * @throws TypeError if the page size or `schemas` is invalid
   */
  constructor(options: ToolsOptions = {}) {
    assertSchemas(options.schemas);
    this.#options = options;
    this.#callOptions = {
      report: (error) => this.#host?.report(error),
      errorText: options.errorText,
      structuredText: options.structuredText ?? true,
    };
    this.#registry = new Registry(TOOLS, options, (tool, handler, checks) =>
      this.#compile(tool, handler as ToolHandler<unknown>, checks),
    );
  }

  /** The tools that are listed, in the order in which they were added. The array is replaced, never changed. */
  get definitions(): readonly Tool[] {
    return this.#registry.definitions;
  }

  attach(host: FeatureHost): void {
    this.#registry.attach(host);
    this.#host = host;
    for (const tool of this.#registry.definitions) this.#warnOf(tool, host);
  }

  /**
   * Adds a tool. If its schemas are written as literals, the types of its arguments and its result are derived from
   * their usual keywords. Reports to `onerror` if some clients may not accept the name, or if the tool runs only as a
   * task but the server has no tasks.
   *
   * @throws TypeError if the tool is invalid or its name is taken, a schema cannot be checked, `x-mcp-header` is in the
   *   wrong place, or the handler is not a function
   */
  add<
    const Input extends ToolSchema<Tool, "inputSchema">,
    const Output extends ToolSchema<Tool, "outputSchema"> = never,
  >(
    definition: TypedTool<Tool, Input, Output>,
    handler: ToolHandler<Result, Context, ToolArguments<Input>, StructuredContent<Output>>,
    checks: ToolChecks = {},
  ): ToolRegistration<Tool, Result, Context> {
    const tool = definition as unknown as Tool;
    const added = this.#registry.add(tool, handler as ToolHandler<Result, Context>, checks);
    if (this.#host) this.#warnOf(tool, this.#host);
    return added;
  }

  /**
   * Returns the rule for a tool's tasks, or undefined if no tool with this name is visible to the client.
   *
   * @throws InsufficientScopeError if the client lacks scopes for the tool
   */
  taskRule(name: unknown, context: HandlerContext): TaskRule | undefined {
    return this.#registry.use(name as string, context)?.behaviour.task;
  }

  paramHeaders(method: string, params: unknown): readonly ParamHeader[] | undefined {
    if (method !== "tools/call" || !isObject(params)) return undefined;
    return this.#registry.get(params["name"] as string)?.behaviour.paramHeaders;
  }

  #listedFor(context: HandlerContext): readonly Tool[] {
    const all = this.#registry.definitionsFor(context);
    if (context.session.revision.traits.tasks) return all;
    let untasked = this.#withoutTasks.get(all);
    if (untasked === undefined) {
      untasked = all.some(({ execution }) => execution) ? all.map(withoutExecution) : all;
      this.#withoutTasks.set(all, untasked);
    }
    return untasked;
  }

  #compile(tool: Tool, handler: ToolHandler<unknown>, checks: ToolChecks): Behaviour {
    const { name, inputSchema, outputSchema, execution } = tool;
    const { schemas } = this.#options;
    if (typeof handler !== "function") {
      throw new TypeError(`The handler of the tool ${quote(name)} is not a function`);
    }
    if (!isObject(inputSchema) || inputSchema["type"] !== "object") {
      const advice =
        'put the value into one, as in z.object({ value }) or { type: "object", properties }';
      throw new TypeError(
        `The inputSchema of ${quote(name)} must be an object of type "object": ${advice}`,
      );
    }
    const input =
      checks.validateInput ?? checkOf(inputSchema, schemas, `the inputSchema of ${quote(name)}`);
    const output = checks.validateOutput ?? (outputSchema && this.#outputCheck(name, outputSchema));
    const paramHeaders = annotatedIn(inputSchema, name);
    this.repeatsArguments ||= paramHeaders.length > 0;
    return {
      call: compileCall(name, handler, { input, output }, this.#callOptions),
      paramHeaders,
      task: { support: execution?.taskSupport ?? "forbidden", ttl: checks.taskTtl },
    };
  }

  /**
   * Returns a check even if the schema accepts everything, because a tool with an output schema must return structured
   * content.
   */
  #outputCheck(name: string, schema: object): DeferredCheck | undefined {
    const { schemas } = this.#options;
    if (schemas === "unchecked") return undefined;
    return checkOf(schema, schemas, `the outputSchema of ${quote(name)}`) ?? (() => undefined);
  }

  #warnOf({ name, execution }: Tool, host: FeatureHost): void {
    const { features, revisions } = host;
    if (!GOOD_NAME.test(name)) {
      const advice = "use 1 to 128 letters, digits, underscores, dots or hyphens";
      host.report(new Error(`Not all clients may accept the tool name ${quote(name)}: ${advice}`));
    }
    if (execution?.taskSupport !== "required") return;
    const ids = revisions.filter(({ traits }) => traits.tasks).map(({ id }) => id);
    if (ids.length > 0 && !features.some(({ handlers }) => "tasks/get" in handlers)) {
      const problem = `Clients of ${ids.join(", ")} cannot call the tool ${quote(name)}`;
      const advice = "pass extensions: [serverTasks()] to McpServer, or add Tasks to the features";
      host.report(new Error(`${problem}, because the server has no tasks: ${advice}`));
    }
  }
}

function assertTaskRule(
  { name, task }: ToolCall,
  { support }: TaskRule,
  { session }: HandlerContext,
): void {
  if (!session.revision.traits.tasks) return;
  if (task === undefined ? support !== "required" : support !== "forbidden") return;
  const why = task === undefined ? "runs as a task only" : "does not run as a task";
  throw new RpcError(METHOD_NOT_FOUND, `Method not found: the tool ${quote(name)} ${why}`);
}

function annotatedIn(inputSchema: object, name: string): readonly ParamHeader[] {
  try {
    return paramHeadersOf(inputSchema);
  } catch (error) {
    const { message } = error as Error;
    throw new TypeError(`The inputSchema of ${quote(name)}: ${message}`, { cause: error });
  }
}

function withoutExecution<Tool extends ToolDefinition>(tool: Tool): Tool {
  const { execution: _, ...others } = tool;
  return others as Tool;
}
