import type { CustomHandler, Feature, FeatureHost, HandlerContext } from "../../api/index.js";
import type {
  Completions,
  CompletionSource,
  Family,
  Log,
  PagingOptions,
  PromptDefinition,
  Schemas,
  ToolDefinition,
} from "../../features/index.js";
import {
  COMPLETE,
  completionAudience,
  knowsCompletion,
  Logging,
  PROMPTS,
  Prompts,
  requiredElicitations,
  ResourceRegistry,
  RESOURCES,
  Tools,
  TOOLS,
} from "../../features/server/index.js";
import {
  META,
  type ProtocolExtension,
  type Revision,
  canExtend,
  extendedRevision,
  isObject,
  isReservedMetaKey,
  isDescribed,
  itemMembers,
  quote,
} from "../../wire/index.js";
import { onDemand } from "../../ground/index.js";
import { type Compile, deferredSchemas } from "../../json-schema/read/index.js";
import { assertExtensionId, extensionGate } from "../extensions/extension-gate.js";
import { isDevelopment } from "../is-development.js";
import type { NewestNames } from "../list-events.js";
import { furtherFamilies } from "./abilities.js";
import { type ContextHost, FacadeContext, type MakeContext } from "./facade-context.js";
import { type ItemKind, itemKind } from "./items.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { promptKind } from "./prompts.js";
import {
  COMPLETIONS,
  type Kind,
  register,
  type RegistrationConfig,
  type RegistrationHost,
} from "./registration.js";
import type { ResourceTemplate } from "./resource-template.js";
import { resourceKind } from "./resources.js";
import { toolKind } from "./tools.js";

export interface RegisteredExtension {
  readonly settings: object;
  readonly messages: readonly CustomHandler[];
  /** The extension's additions to the revisions, including the messages that only the server sends. */
  readonly protocol: ProtocolExtension;
}

export const OPTIONS: readonly string[] =
  /* @__PURE__ */ `anonymous askTimeout bus capabilities checkContent cursors custom errorText extensions features freshness
  handlerTimeout handlers hideForbidden ignoreUnknown instructions keepAlive limits logging maxTotalTimeout
  middleware onerror onloss onrequestend pageSize rateLimits resetTimeoutOnProgress revisions rounds schemas
  sending structuredText subscriptions timeout unaskedLogs`.split(/\s+/);

const DEFAULT_ASK_TIMEOUT = 600_000;

const whenCompleting = onDemand(() => import("../../features/completions/index.js"));

const loadChecks = async (): Promise<Compile> =>
  (await import("../../json-schema/index.js")).compileOwn;

function completionsOf(sources: readonly CompletionSource[]): Feature {
  let completions: Completions | undefined;
  return {
    handlers: {
      "completion/complete": (params, context) =>
        whenCompleting((module) => {
          completions ??= new module.Completions({ sources });
          return completions.handlers["completion/complete"]!(params, context);
        }),
    },
  };
}

/** Rejects a feature declared as `tools: true`, which every client would refuse. */
function checkDeclared(
  declared: Readonly<Record<string, unknown>>,
  features: ReadonlyMap<string, unknown>,
): void {
  for (const [name, value] of Object.entries(declared)) {
    if (value === undefined || value === false || isObject(value) || !features.has(name)) continue;
    throw new TypeError(`capabilities.${name} must be an object, such as {}, or false`);
  }
}

/** Creates a value on first use. Most servers use few kinds of features, so the others are never created. */
function lazy<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}

/** A server's features. It declares those that are in use when it is connected. */
export class ServerFeatures implements ContextHost, RegistrationHost {
  readonly logging: Logging | undefined;
  readonly extensions: Map<string, RegisteredExtension> = new Map();
  readonly schemas: Schemas;
  readonly askTimeout: number;
  readonly families: ReadonlySet<string>;
  readonly hideForbidden: boolean;
  readonly ignoreUnknown: boolean;
  readonly kinds: {
    readonly tool: ReturnType<typeof toolKind>;
    readonly prompt: () => ReturnType<typeof promptKind>;
    readonly resource: () => ReturnType<typeof resourceKind>;
  };
  readonly #tools: Tools<ToolDefinition, unknown>;
  readonly #revisions: readonly Revision[];
  readonly #features: Map<string, () => Feature>;
  readonly #resources: () => ResourceRegistry;
  readonly #sendsUnaskedLogs: boolean;
  readonly #reserved = new Set<string>();
  /** True until a log message has been reported. Only ever true for a server without the `logging` option. */
  #mayMissLogs: boolean;
  readonly #used = new Set<string>();
  readonly #items = new Map<string, ItemKind>();
  readonly #paging: PagingOptions;
  readonly #declared: Readonly<Record<string, unknown>>;
  #extended: readonly Revision[] | undefined;
  #host: FeatureHost | undefined;
  #isFixed = false;

  constructor(options: McpServerOptions, { families }: NewestNames) {
    const {
      schemas = deferredSchemas(loadChecks),
      logging,
      subscriptions = {},
      structuredText,
    } = options;
    const {
      errorText,
      pageSize,
      cursors,
      capabilities,
      askTimeout = DEFAULT_ASK_TIMEOUT,
    } = options;
    this.askTimeout = askTimeout;
    this.#revisions = (options.revisions ?? []) as readonly Revision[];
    this.families = furtherFamilies(families);
    this.#declared = isObject(capabilities) ? capabilities : {};
    this.hideForbidden = options.hideForbidden ?? false;
    this.ignoreUnknown = options.ignoreUnknown ?? false;
    this.#sendsUnaskedLogs = options.unaskedLogs ?? false;
    this.schemas = schemas;
    const logs = logging ?? this.#isDeclared("logging");
    this.logging = logs === false ? undefined : new Logging(logs === true ? {} : logs);
    this.#mayMissLogs = logging === undefined;
    const sources: CompletionSource[] = [];
    const revisions = options.checkContent === false ? [] : this.#revisions;
    // Features only add their sources here: the server declares completions only if something has suggestions.
    this.#paging = { pageSize, cursors, revisions };
    const common = {
      ...this.#paging,
      completions: { source: (source: CompletionSource) => sources.push(source) },
    };
    const tools = new Tools<ToolDefinition, unknown>({
      ...common,
      schemas,
      errorText,
      structuredText,
    });
    this.#tools = tools;
    const prompts = lazy(() => new Prompts<PromptDefinition, unknown>(common));
    this.#resources = lazy(
      () =>
        new ResourceRegistry({ ...common, ...(subscriptions === false ? {} : { subscriptions }) }),
    );
    this.#features = new Map<string, () => Feature>([
      [TOOLS.name, () => tools],
      [PROMPTS.name, prompts],
      [RESOURCES.name, this.#resources],
      [COMPLETIONS, lazy(() => completionsOf(sources))],
    ]);
    checkDeclared(this.#declared, this.#features);
    this.kinds = {
      tool: toolKind(tools, this),
      prompt: lazy(() => promptKind(prompts(), this)),
      resource: lazy(() => resourceKind(this.#resources(), this)),
    };
  }

  get resources(): ResourceRegistry {
    return this.#resources();
  }

  register<Config extends RegistrationConfig, Definition, Given extends readonly unknown[]>(
    kind: Kind<Config, Definition, Given>,
    config: object,
  ): unknown {
    return register(config as Config, kind, this);
  }

  templateKind(
    template: Pick<ResourceTemplate, "kind" | "uriTemplate">,
    name: string,
  ): ReturnType<ResourceTemplate["kind"]> {
    if (typeof template.kind === "function") return template.kind(this.resources, this);
    const advice = `pass new ResourceTemplate(${quote(String(template.uriTemplate))})`;
    throw new TypeError(`The template of the resources ${quote(name)} is not parsed: ${advice}`);
  }

  itemsOf(method: string): ItemKind {
    let kind = this.#items.get(method);
    if (kind === undefined) {
      kind = itemKind(method, this.#revisions, this.#paging, this);
      const { feature, family, items } = kind;
      if (this.#features.has(feature)) {
        throw new TypeError(`A ${family.noun} has a method of its own to register it`);
      }
      this.#items.set(method, kind);
      this.#features.set(feature, () => items);
    }
    return kind;
  }

  readonly contextOf: MakeContext = (context) => new FacadeContext(context, this);

  membersOf({ list, name }: Family): readonly string[] | undefined {
    const newest = this.#revisions.find(({ projection }) => projection === undefined);
    const result = newest?.methods.get(list)?.result;
    return result && itemMembers(result, name);
  }

  readonly report = (error: Error): void => this.#host?.report(error);

  note(definition: object): void {
    const { _meta: meta } = definition as { readonly _meta?: unknown };
    if (!isObject(meta) || !isDevelopment()) return;
    for (const key of Object.keys(meta)) if (isReservedMetaKey(key)) this.#reserved.add(key);
  }

  #reportReserved(): void {
    const defined = [...Object.values(META), ...this.extensions.keys()];
    for (const key of this.#reserved) {
      if (defined.some((name) => key.startsWith(name)) || this.#isDescribed(key)) continue;
      const text = `The _meta of a definition has ${quote(key)}: MCP reserves such prefixes`;
      this.report(new Error(`${text}; use one of your own, as in com.example/name`));
    }
  }

  #isDescribed(key: string): boolean {
    const rows = this.#revisions.flatMap(({ methods }) => [...methods.values()]);
    return rows.some(({ result }) => result !== undefined && isDescribed(result, key));
  }

  logFor(context: HandlerContext): Log {
    return this.logging?.for(context) ?? this.#unsent;
  }

  readonly log: Log = (...message) => (this.logging?.log ?? this.#unsent)(...message);

  /** Reports the first log message from a server that does not declare logs, unless the `logging` option is false. */
  readonly #unsent: Log = () => {
    if (!this.#mayMissLogs) return;
    this.#mayMissLogs = false;
    const advice =
      "pass logging: true to McpServer, or false to drop log messages without this report";
    this.report(
      new Error(`A log message was not sent: the server does not declare logs; ${advice}`),
    );
  };

  async sendLog(context: HandlerContext, params: unknown): Promise<void> {
    const level = isObject(params) ? params["level"] : undefined;
    const method = "notifications/message";
    if (this.#sendsUnaskedLogs || this.logging?.isWanted(context, level)) {
      const notify = context.notify as (method: string, params: unknown) => Promise<void>;
      return notify(method, params);
    }
    this.report(new Error(`${method} was not sent: the client has not requested its level`));
  }

  readonly hasExtension = (id: string, revision: Revision): boolean => {
    const extension = this.extensions.get(id);
    return extension !== undefined && canExtend(extension.protocol, revision);
  };

  addExtension(id: string, extension: RegisteredExtension): void {
    assertExtensionId(id);
    this.assertOpen("extensions can no longer be added", "register them before");
    if (this.extensions.has(id)) throw new TypeError(`The extension ${id} is already registered`);
    this.extensions.set(id, extension);
    this.#extended = undefined;
  }

  get revisions(): readonly Revision[] {
    if (this.extensions.size === 0) return this.#revisions;
    const protocols = [...this.extensions.values()].map(({ protocol }) => protocol);
    this.#extended ??= this.#revisions.map((one) => extendedRevision(one, protocols));
    return this.#extended;
  }

  get repeatsArguments(): boolean {
    return this.#tools.repeatsArguments;
  }

  broadcast(method: string, params?: unknown): void {
    this.#host?.broadcast(method, params);
  }

  /** Notifies the client, whose session may be on another instance. */
  elicitationCompleted(elicitationId: string): void {
    const host = this.#host;
    if (!host?.revisions.some(knowsCompletion)) return;
    host.broadcast(COMPLETE, { elicitationId });
  }

  use<Added>(features: readonly string[], add: () => Added): Added {
    for (const name of features) {
      if (this.#used.has(name) || (this.#isFixed && this.#isDeclared(name))) continue;
      this.assertOpen(
        `${name} can no longer be added, because clients have received capabilities without them`,
        `add one before, or declare them with the option capabilities: { ${name}: {} }`,
      );
    }
    const added = add();
    for (const name of features) this.#used.add(name);
    return added;
  }

  assertOpen(problem: string, advice: string): void {
    if (this.#isFixed) throw new TypeError(`The server has been connected: ${problem}; ${advice}`);
  }

  /** Returns the features in use. No feature can be added after that. */
  fix(): Feature[] {
    this.#isFixed = true;
    const used = [...this.#features].filter(
      ([name]) => this.#used.has(name) || this.#isDeclared(name),
    );
    return [this.#base(), ...used.map(([, feature]) => feature())];
  }

  #isDeclared(name: string): boolean {
    const declared = this.#declared[name];
    return declared !== undefined && declared !== false;
  }

  #base(): Feature {
    const { logging, extensions } = this;
    const settingsAt = (revision: Revision): object =>
      Object.fromEntries(
        [...extensions]
          .filter(([id]) => this.hasExtension(id, revision))
          .map(([id, extension]) => [id, extension.settings]),
      );
    const owners = [...extensions].flatMap(([id, { protocol }]) =>
      protocol.rows.map(({ method }) => [method, id] as const),
    );
    return {
      handlers: logging?.handlers ?? {},
      lasting: logging?.lasting,
      capabilities: (revision) => {
        const settings = settingsAt(revision);
        return {
          ...(logging ? { logging: {} } : {}),
          ...(Object.keys(settings).length > 0 ? { extensions: settings } : {}),
        };
      },
      audiences: completionAudience(() => this.#host?.sessions ?? []),
      steps: requiredElicitations,
      sending: owners.length > 0 ? [extensionGate(new Map(owners), "client")] : [],
      attach: (host) => {
        this.#host = host;
        this.#reportReserved();
        logging?.attach(host);
      },
    };
  }
}
