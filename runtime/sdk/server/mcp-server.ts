import {
  ResourceTemplate as NativeTemplate,
  type ServerContext as NativeServerContext,
} from "@mcp-codegen/universal";
import {
  type Icon,
  type Implementation,
  type LoggingMessageNotification,
  type ToolAnnotations,
  type ToolExecution,
  type Transport,
  validateAndWarnToolName,
} from "../shared/index.js";
import {
  adapted,
  type ArgumentsSchema,
  type MakeContext,
  type PromptCallback,
  type ReadResourceCallback,
  type ReadResourceTemplateCallback,
  type ToolCallback,
  type ZodRawShape,
} from "./adapted-callbacks.js";
import { standardOf } from "./schemas/argument-schemas.js";
import type { Connection, Definition } from "./connection.js";
import {
  noRegistrations,
  type RegistrationsByKey,
  type RegisteredPrompt,
  type RegisteredResource,
  type RegisteredResourceTemplate,
  type RegisteredTool,
  Registration,
  type ResourceMetadata,
} from "./registrations.js";
import type { ResourceTemplate } from "./resource-template.js";
import { type Callback, isSchema, untyped } from "../shared/internal/index.js";
import { challenged, type ScopeChallengeHandler } from "./auth/scope-challenge.js";
import { Server } from "./server.js";
import type { ServerOptions } from "./server-options.js";
import { toolParts } from "./tool-parts.js";
import { promptSchema, unknownNames } from "./unknown-names.js";
import { withZod4JsonSchema } from "./schemas/zod-4.js";

/** A tool definition without its name and handler. */
export interface ToolConfig<
  Input extends ArgumentsSchema | undefined,
  Output extends ArgumentsSchema | undefined,
> {
  title?: string | undefined;
  description?: string | undefined;
  inputSchema?: Input;
  outputSchema?: Output;
  annotations?: ToolAnnotations | undefined;
  icons?: Icon[] | undefined;
  execution?: ToolExecution | undefined;
  _meta?: Record<string, unknown> | undefined;
  /** The scopes that a call requires. */
  scopes?: readonly string[] | undefined;
  /** Returns the scopes that a call lacks; called before each call. */
  scopeChallenge?: ScopeChallengeHandler | null | undefined;
  /** Returns true if the sender of a request may see the tool. */
  visible?: ((ctx: NativeServerContext) => boolean) | undefined;
}

/** A prompt definition without its name and handler. */
export interface PromptConfig<Args extends ArgumentsSchema | undefined> {
  title?: string | undefined;
  description?: string | undefined;
  argsSchema?: Args;
  icons?: Icon[] | undefined;
  /** Returns the scopes that a request lacks; called before each use. */
  scopeChallenge?: ScopeChallengeHandler | null | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/**
 * A server for tools, prompts and resources with the interface of the official SDK, versions 1 and 2. It serves
 * all revisions. Errors that its handlers throw reach the client as they do with the SDK.
 *
 * @example
 * ```ts
 * import { McpServer } from "@mcp-codegen/sdk/server";
 * import { StdioServerTransport } from "@mcp-codegen/sdk/server/stdio";
 *
 * const server = new McpServer({ name: "dice", version: "1.0.0" });
 * server.registerTool("roll", { inputSchema: { sides: z.number() } }, async ({ sides }) => ({
 *   content: [{ type: "text", text: String(1 + Math.floor(Math.random() * sides)) }],
 * }));
 * await server.connect(new StdioServerTransport());
 * ```
 */
export class McpServer {
  /** The underlying server, which has one handler per method. */
  readonly server: Server;
  private readonly _contextOf: MakeContext;
  private readonly _registeredTools = noRegistrations<RegisteredTool>();
  private readonly _registeredPrompts = noRegistrations<RegisteredPrompt>();
  private readonly _registeredResources = noRegistrations<RegisteredResource>();
  private readonly _registeredResourceTemplates = noRegistrations<RegisteredResourceTemplate>();

  /**
   * @param info - name and version, sent to clients
   * @param options - capabilities, instructions and limits
   */
  constructor(info: Implementation, options: ServerOptions = {}) {
    const all = {
      tools: this._registeredTools,
      prompts: this._registeredPrompts,
      resources: this._registeredResources,
      resourceTemplates: this._registeredResourceTemplates,
    };
    const middleware = [
      ...(options.middleware ?? []),
      unknownNames(all, {
        isReplaced: (method) => this.server.hasHandler(method),
        readable: (schema) => this.readable(schema),
      }),
    ];
    this.server = new Server(info, { ...options, middleware });
    this._contextOf = (native) => this.server.contextFor(native);
  }

  /**
   * The runtime server behind this one. Pass it to `createHttpHandler` and other functions that accept a runtime
   * server.
   */
  get definition(): Definition {
    return this.server.definition;
  }

  /** Returns a server for another connection, with the same definition. */
  fork(): Connection {
    return this.server.fork();
  }

  /** Starts serving over a transport. Resolves when the transport has started. */
  connect(transport: Transport): Promise<void> {
    return this.server.connect(transport);
  }

  /** Closes the connection. */
  close(): Promise<void> {
    return this.server.close();
  }

  /** True while the server is connected. */
  isConnected(): boolean {
    return this.server.transport !== undefined;
  }

  /**
   * Adds a tool. Errors that its handler throws are returned to the model, except for the error that requires the user
   * to open a URL.
   *
   * @throws TypeError if a schema is invalid; Error if the name is already registered
   */
  registerTool<
    const Input extends ArgumentsSchema | undefined = undefined,
    const Output extends ArgumentsSchema | undefined = undefined,
  >(
    name: string,
    config: ToolConfig<Input, Output>,
    callback: ToolCallback<Input>,
  ): RegisteredTool {
    assertNew(this._registeredTools, name, `Tool ${name}`);
    validateAndWarnToolName(name);
    this.server.imply("tools");
    const { inputSchema, outputSchema, scopeChallenge, ...others } = config;
    const readable = (schema: ArgumentsSchema | undefined): ArgumentsSchema | undefined =>
      schema && this.readable(schema);
    const own = { inputSchema, outputSchema, handler: callback };
    const parts = toolParts(name, { ...own, scopeChallenge }, readable, this._contextOf);
    const { handler, ...read } = parts({});
    const handle = untyped(this.definition).registerTool(name, { ...others, ...read }, handler);
    return new Registration(this._registeredTools, name, handle, own, parts);
  }

  /**
   * Adds a prompt.
   * @throws TypeError if a schema is invalid; Error if the name is already registered
   */
  registerPrompt<const Args extends ArgumentsSchema | undefined = undefined>(
    name: string,
    config: PromptConfig<Args>,
    callback: PromptCallback<Args>,
  ): RegisteredPrompt {
    assertNew(this._registeredPrompts, name, `Prompt ${name}`);
    this.server.imply("prompts");
    const { scopeChallenge, argsSchema, ...others } = config;
    const call = adapted(callback, this._contextOf);
    const paramsOf = (...args: unknown[]): object =>
      args.length > 1 ? { name, arguments: args[0] } : { name };
    const handle = untyped(this.definition).registerPrompt(
      name,
      { ...others, ...this._promptSchema(name, argsSchema) },
      challenged(call, scopeChallenge, "prompts/get", paramsOf),
    );
    const own = { argsSchema, handler: callback };
    return new Registration(this._registeredPrompts, name, handle, own, (changes) =>
      this._changedPrompt(name, changes),
    );
  }

  /**
   * Adds a resource or a resource template.
   *
   * @throws TypeError if the URI or template is invalid; Error if the URI or template is already registered
   */
  registerResource(
    name: string,
    uri: string,
    config: ResourceMetadata,
    callback: ReadResourceCallback,
  ): RegisteredResource;
  registerResource(
    name: string,
    template: ResourceTemplate,
    config: ResourceMetadata,
    callback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  registerResource(
    name: string,
    where: string | ResourceTemplate,
    config: ResourceMetadata,
    callback: Callback,
  ): RegisteredResource | RegisteredResourceTemplate {
    const isOne = typeof where === "string";
    const all = isOne ? this._registeredResources : this._registeredResourceTemplates;
    const key = isOne ? where : name;
    assertNew(all, key, isOne ? `Resource ${key}` : `Resource template ${key}`);
    this.server.imply("resources");
    const { scopeChallenge, ...others } = config;
    const call = adapted(callback, this._contextOf);
    const handle = untyped(this.definition).registerResource(
      name,
      isOne ? where : this._family(where),
      others,
      challenged(call, scopeChallenge, "resources/read", readParams),
    );
    const own = { handler: callback };
    return new Registration(all as RegistrationsByKey<unknown>, key, handle, own, (changes) =>
      this._changedResource(changes),
    );
  }

  /**
   * Adds a tool as in version 1: the description, schemas and annotations are positional, and each is optional.
   *
   * @deprecated Use `registerTool`.
   */
  tool(name: string, callback: ToolCallback): RegisteredTool;
  tool(name: string, description: string, callback: ToolCallback): RegisteredTool;
  tool<Args extends ZodRawShape>(
    name: string,
    schemaOrAnnotations: Args | ToolAnnotations,
    callback: ToolCallback<Args>,
  ): RegisteredTool;
  tool<Args extends ZodRawShape>(
    name: string,
    description: string,
    schemaOrAnnotations: Args | ToolAnnotations,
    callback: ToolCallback<Args>,
  ): RegisteredTool;
  tool<Args extends ZodRawShape>(
    name: string,
    schema: Args,
    annotations: ToolAnnotations,
    callback: ToolCallback<Args>,
  ): RegisteredTool;
  tool<Args extends ZodRawShape>(
    name: string,
    description: string,
    schema: Args,
    annotations: ToolAnnotations,
    callback: ToolCallback<Args>,
  ): RegisteredTool;
  tool(name: string, ...rest: unknown[]): RegisteredTool {
    const callback = rest.pop() as Callback;
    const description = typeof rest[0] === "string" ? (rest.shift() as string) : undefined;
    const inputSchema = this._isShape(rest[0]) ? (rest.shift() as ZodRawShape) : undefined;
    const annotations = rest[0] as ToolAnnotations | undefined;
    const config = { description, annotations, ...(inputSchema ? { inputSchema } : {}) };
    return this.registerTool(name, config, callback);
  }

  /**
   * Adds a prompt as in version 1.
   * @deprecated Use `registerPrompt`.
   */
  prompt(name: string, callback: PromptCallback): RegisteredPrompt;
  prompt(name: string, description: string, callback: PromptCallback): RegisteredPrompt;
  prompt<Args extends ZodRawShape>(
    name: string,
    schema: Args,
    callback: PromptCallback<Args>,
  ): RegisteredPrompt;
  prompt<Args extends ZodRawShape>(
    name: string,
    description: string,
    schema: Args,
    callback: PromptCallback<Args>,
  ): RegisteredPrompt;
  prompt(name: string, ...rest: unknown[]): RegisteredPrompt {
    const callback = rest.pop() as Callback;
    const description = typeof rest[0] === "string" ? (rest.shift() as string) : undefined;
    const argsSchema = rest[0] as ZodRawShape | undefined;
    const config = { description, ...(argsSchema ? { argsSchema } : {}) };
    return this.registerPrompt(name, config, callback);
  }

  /**
   * Adds a resource or a resource template as in version 1.
   * @deprecated Use `registerResource`.
   */
  resource(name: string, uri: string, callback: ReadResourceCallback): RegisteredResource;
  resource(
    name: string,
    uri: string,
    metadata: ResourceMetadata,
    callback: ReadResourceCallback,
  ): RegisteredResource;
  resource(
    name: string,
    template: ResourceTemplate,
    callback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  resource(
    name: string,
    template: ResourceTemplate,
    metadata: ResourceMetadata,
    callback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  resource(
    name: string,
    where: string | ResourceTemplate,
    ...rest: unknown[]
  ): RegisteredResource | RegisteredResourceTemplate {
    const callback = rest.pop();
    const metadata = (rest[0] ?? {}) as ResourceMetadata;
    return untyped(this as McpServer).registerResource(name, where, metadata, callback);
  }

  /** Sends a log message to clients with sessions. Stateless clients do not receive it. */
  sendLoggingMessage(
    params: LoggingMessageNotification["params"],
    _sessionId?: string,
  ): Promise<void> {
    return this.server.sendLoggingMessage(params);
  }

  /** Notifies clients that the list of tools has changed. */
  sendToolListChanged(): void {
    this.definition.notify.toolsChanged();
  }

  /** Notifies clients that the list of prompts has changed. */
  sendPromptListChanged(): void {
    this.definition.notify.promptsChanged();
  }

  /** Notifies clients that the list of resources has changed. */
  sendResourceListChanged(): void {
    this.definition.notify.resourcesChanged();
  }

  /** Adds a JSON Schema to a library schema that does not provide one. */
  protected readable(schema: ArgumentsSchema): ArgumentsSchema {
    return withZod4JsonSchema(schema) as ArgumentsSchema;
  }

  /** True if the value is a library's schema. */
  protected isSchema(value: unknown): boolean {
    return isSchema(value);
  }

  private _promptSchema(name: string, schema: ArgumentsSchema | undefined): object {
    if (schema === undefined) return {};
    const whose = `the argsSchema of ${JSON.stringify(name)}`;
    return { argsSchema: promptSchema(name, standardOf(this.readable(schema), whose)) };
  }

  /**
   * True if the value is an object whose properties are schemas, or an empty object. In version 1, annotations can be
   * passed in the same position, but their properties are not schemas.
   */
  private _isShape(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    const members = Object.values(value);
    return members.length === 0 || members.some((member) => this.isSchema(member));
  }

  private _family(template: ResourceTemplate): object {
    const { listCallback, completeVariables } = template;
    const complete = completeVariables.map((name) => [name, template.completeCallback(name)]);
    const options: object = {
      ...(listCallback ? { list: adapted(listCallback as Callback, this._contextOf) } : {}),
      ...(complete.length > 0 ? { complete: Object.fromEntries(complete) as object } : {}),
    };
    return new NativeTemplate(String(template.uriTemplate), options);
  }

  private _changedPrompt(name: string, changes: object): object {
    const { callback, argsSchema, ...others } = changes as Changes;
    return {
      ...others,
      ...this._promptSchema(name, argsSchema),
      ...(callback ? { handler: adapted(callback, this._contextOf) } : {}),
    };
  }

  private _changedResource(changes: object): object {
    const { callback, template, ...others } = changes as Changes;
    return {
      ...others,
      ...(callback ? { read: adapted(callback, this._contextOf) } : {}),
      ...(template ? { template: this._family(template) } : {}),
    };
  }
}

interface Changes {
  readonly callback?: Callback;
  readonly argsSchema?: ArgumentsSchema;
  readonly template?: ResourceTemplate;
}

function assertNew(all: RegistrationsByKey<unknown>, key: string, what: string): void {
  if (all[key] !== undefined) throw new Error(`${what} is already registered`);
}

function readParams(uri: unknown): object {
  return { uri: String(uri) };
}
