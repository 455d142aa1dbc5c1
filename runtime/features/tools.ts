import type { AnyHandler, Feature, FeatureHost, HandlerContext, Session } from "../api/index.js";
import {
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  type ParamHeader,
  RpcError,
  isObject,
  paramHeadersOf,
  quote,
} from "../wire/index.js";
import { Announcement } from "./announcement.js";
import { DefinitionCheck } from "./definition-check.js";
import { Listing, type ListResult } from "./listing.js";
import { RegisteredTool } from "./registered-tool.js";
import { type RegistryEntry, Registry } from "./registry.js";
import { assertSchemas, checkOf } from "./schema-checks.js";
import type { SchemaCheck } from "./schema-compiler.js";
import { type CallOptions, callTool, type ToolBehaviour } from "./tool-calls.js";
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
import { warningsOf } from "./tool-warnings.js";

/**
 * The tools of a server: lists them, checks what goes in and comes out, and calls them. Pass it with the option
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
 * @typeParam Tool - how the revision defines a tool
 * @typeParam Result - `CallToolResult` of the revision
 * @typeParam Context - what handlers get: `ServerContext` of the revision
 */
export class Tools<
  Tool extends ToolDefinition = ToolDefinition,
  Result = object,
  Context = HandlerContext,
> implements Feature {
  readonly capabilities: object = { tools: { listChanged: true } };
  readonly handlers: Readonly<Record<string, AnyHandler>> = {
    "tools/list": (params, context) => this.#list(params, context),
    "tools/call": (params, context) => this.#call(params as ToolCall, context),
  };
  readonly #options: ToolsOptions;
  readonly #callOptions: CallOptions;
  readonly #listing: Listing<Tool>;
  readonly #changed = new Announcement("notifications/tools/list_changed");
  readonly #registry: Registry<Tool, ToolBehaviour<Result, Context>>;
  readonly #check: DefinitionCheck<Tool>;
  /** Definitions without what they say of tasks, by those with it. */
  readonly #withoutTasks = new WeakMap<readonly Tool[], readonly Tool[]>();
  #host: FeatureHost | undefined;

  /** @throws TypeError for a page size that is none, and for `schemas` that are none */
  constructor(options: ToolsOptions = {}) {
    assertSchemas(options.schemas);
    this.#options = options;
    this.#callOptions = {
      report: (error) => this.#host?.report(error),
      errorText: options.errorText,
      structuredText: options.structuredText ?? true,
    };
    const list = { method: "tools/list", member: "tools", keyOf: nameOf };
    this.#listing = new Listing<Tool>({ ...options, ...list });
    this.#check = new DefinitionCheck({ ...list, what: "tool", revisions: options.revisions });
    this.#registry = new Registry({
      what: "tool",
      keyOf: nameOf,
      check: this.#check.assert,
      onchange: this.#changed.make,
    });
  }

  /** The tools that are listed, in the order in which they were added. A new array whenever they change. */
  get definitions(): readonly Tool[] {
    return this.#registry.definitions;
  }

  attach(host: FeatureHost): void {
    this.#changed.attach(host);
    this.#host = host;
    this.#check.attach(host, this.#registry.all);
    for (const tool of this.#registry.definitions) this.#warnOf(tool, host);
  }

  /**
   * Adds a tool. The types of the arguments, and of what is given back, are those of schemas that are written out
   * here, as far as the usual keywords say. A name that not all clients may cope with is reported to `onerror`, and so is a tool that runs as a
   * task only where there are no tasks.
   *
   * @throws TypeError when there is one of that name already, when a schema is none or has nothing to check it, for
   *   `x-mcp-header` where it may not be, and for a handler that is none
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
    const behaviour = this.#behaviour(tool, handler as ToolHandler<Result, Context>, checks);
    const registration = this.#registry.add(tool, behaviour);
    if (this.#host) this.#warnOf(tool, this.#host);
    return new RegisteredTool(registration, behaviour, (...changed) => this.#behaviour(...changed));
  }

  /**
   * Why a call cannot be had as a task, or cannot be had without one; undefined when it can (MCP: tasks, tool-level
   * negotiation).
   */
  admitTask({ name, task }: ToolCall, session: Session): RpcError | undefined {
    const tool = this.#registry.get(name)?.definition;
    if (tool === undefined) return undefined;
    if (isOrdinary(tool, task) || !session.revision.traits.tasks) return undefined;
    const { taskSupport = "forbidden" } = tool.execution ?? {};
    if (task !== undefined && taskSupport !== "forbidden") return undefined;
    const why = task === undefined ? "runs as a task only" : "does not run as a task";
    return new RpcError(METHOD_NOT_FOUND, `Method not found: the tool ${quote(name)} ${why}`);
  }

  /** Rule for tasks of a tool; undefined for one that there is not, as far as the client may know. */
  taskRule(name: unknown, context: HandlerContext): TaskRule | undefined {
    const tool = this.#registry.use(name as string, context);
    if (tool === undefined) return undefined;
    const { taskSupport: support = "forbidden" } = tool.definition.execution ?? {};
    return { support, ttl: tool.behaviour.checks.taskTtl };
  }

  paramHeaders(method: string, params: unknown): readonly ParamHeader[] | undefined {
    if (method !== "tools/call" || !isObject(params)) return undefined;
    return this.#registry.get(params["name"] as string)?.behaviour.paramHeaders;
  }

  #list(params: unknown, context: HandlerContext): ListResult | Promise<ListResult> {
    const registry = this.#registry;
    const all = registry.definitionsFor(context);
    const definitions = context.session.revision.traits.tasks ? all : this.#untasked(all);
    return this.#listing.answer(definitions, params, registry.isPrivateFor(context));
  }

  /** Definitions for a revision that says nothing of tasks. */
  #untasked(definitions: readonly Tool[]): readonly Tool[] {
    let untasked = this.#withoutTasks.get(definitions);
    if (untasked === undefined) {
      untasked = definitions.some(({ execution }) => execution)
        ? definitions.map(withoutExecution)
        : definitions;
      this.#withoutTasks.set(definitions, untasked);
    }
    return untasked;
  }

  #call(params: ToolCall, context: HandlerContext): unknown {
    const tool = this.#find(params.name, context);
    if (!isOrdinary(tool.definition, params.task)) {
      const refusal = this.admitTask(params, context.session);
      if (refusal) throw refusal;
    }
    return callTool(tool, params, context, this.#callOptions);
  }

  #find(
    name: string,
    context: HandlerContext,
  ): RegistryEntry<Tool, ToolBehaviour<Result, Context>> {
    const tool = this.#registry.use(name, context);
    if (tool) return tool;
    const known = "ask tools/list for those that there are";
    throw new RpcError(INVALID_PARAMS, `Invalid params: unknown tool ${quote(name)}: ${known}`);
  }

  #behaviour(
    tool: Tool,
    handler: ToolHandler<Result, Context>,
    checks: ToolChecks,
  ): ToolBehaviour<Result, Context> {
    const { name, inputSchema, outputSchema } = tool;
    const { schemas } = this.#options;
    if (typeof handler !== "function") {
      throw new TypeError(`The handler of the tool ${quote(name)} is not a function`);
    }
    if (!isObject(inputSchema) || inputSchema["type"] !== "object") {
      throw new TypeError(`The inputSchema of ${quote(name)} must be an object of type "object"`);
    }
    const input =
      checks.validateInput ?? checkOf(inputSchema, schemas, `the inputSchema of ${quote(name)}`);
    const output = checks.validateOutput ?? (outputSchema && this.#outputCheck(name, outputSchema));
    const paramHeaders = annotatedIn(inputSchema, name);
    return { handler, checks, input, output, paramHeaders };
  }

  /** A tool with an output schema has structured content, even if that can be anything. */
  #outputCheck(name: string, schema: object): SchemaCheck | undefined {
    const { schemas } = this.#options;
    if (schemas === "unchecked") return undefined;
    return checkOf(schema, schemas, `the outputSchema of ${quote(name)}`) ?? (() => undefined);
  }

  #warnOf(tool: Tool, host: FeatureHost): void {
    for (const warning of warningsOf(tool, host)) host.report(warning);
  }
}

/** True for a call that neither asks for a task nor must become one. */
function isOrdinary({ execution }: ToolDefinition, task: unknown): boolean {
  return task === undefined && execution?.taskSupport !== "required";
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

const nameOf = ({ name }: ToolDefinition): string => name;
