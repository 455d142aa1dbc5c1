import type { CustomHandler, Feature, FeatureHost, HandlerContext } from "../../api/index.js";
import {
  COMPLETE,
  completionAudience,
  Completions,
  knowsCompletion,
  type Log,
  Logging,
  type PromptDefinition,
  Prompts,
  Resources,
  type Schemas,
  type ToolDefinition,
  Tools,
} from "../../features/index.js";
import {
  type ProtocolExtension,
  type Revision,
  canExtend,
  isObject,
  itemMembers,
} from "../../wire/index.js";
import { type Compile, deferredSchemas } from "../../json-schema/read/index.js";
import { assertExtensionId, extensionGate } from "../extensions/extension-gate.js";
import type { NewestNames } from "../list-events.js";
import { furtherFamilies } from "./abilities.js";
import { type ContextHost, FacadeContext, type MakeContext } from "./facade-context.js";
import { messageOf } from "./handlers.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { promptKind } from "./prompts.js";
import type { FeatureName, RegistrationHost } from "./registration.js";
import { resourceKind, templateKind } from "./resources.js";
import { toolKind } from "./tools.js";

/** A registered extension. */
export interface RegisteredExtension {
  readonly settings: object;
  readonly messages: readonly CustomHandler[];
  /** Its additions to the revisions, including the messages that only the server sends. */
  readonly protocol: ProtocolExtension;
}

const DEFAULT_ASK_TIMEOUT = 600_000;

const loadChecks = async (): Promise<Compile> =>
  (await import("../../json-schema/index.js")).compileOwn;

const silent: Log = () => undefined;

/** The features of a server. It declares those that are in use when it is connected. */
export class ServerFeatures implements ContextHost, RegistrationHost {
  readonly resources: Resources;
  readonly logging: Logging | undefined;
  readonly extensions: Map<string, RegisteredExtension> = new Map();
  readonly schemas: Schemas;
  readonly askTimeout: number;
  readonly families: ReadonlySet<string>;
  readonly hideForbidden: boolean;
  readonly tellErrors: boolean;
  /** Registration of each kind of configuration. */
  readonly kinds: {
    readonly tool: ReturnType<typeof toolKind>;
    readonly prompt: ReturnType<typeof promptKind>;
    readonly resource: ReturnType<typeof resourceKind>;
    readonly template: ReturnType<typeof templateKind>;
  };
  readonly #revisions: readonly Revision[];
  readonly #features: Readonly<Record<FeatureName, Feature>>;
  readonly #sendsUnaskedLogs: boolean;
  readonly #used = new Set<FeatureName>();
  readonly #declared: Readonly<Record<string, unknown>>;
  #host: FeatureHost | undefined;
  #isFixed = false;

  constructor(options: McpServerOptions, { families }: NewestNames) {
    const {
      schemas = deferredSchemas(loadChecks),
      logging,
      subscriptions = {},
      structuredText,
    } = options;
    const { tellErrors = false, errorText = tellErrors ? messageOf : undefined } = options;
    const { pageSize, cursors, capabilities, askTimeout = DEFAULT_ASK_TIMEOUT } = options;
    this.askTimeout = askTimeout;
    this.#revisions = options.revisions ?? [];
    this.families = furtherFamilies(families);
    this.#declared = isObject(capabilities) ? capabilities : {};
    this.hideForbidden = options.hideForbidden ?? false;
    this.tellErrors = tellErrors;
    this.#sendsUnaskedLogs = options.unaskedLogs ?? false;
    this.schemas = schemas;
    this.logging = logging === false ? undefined : new Logging(logging);
    const completions = new Completions();
    const revisions = options.checkContent === false ? [] : options.revisions;
    // Only the source is passed: the server serves completions only if something has suggestions.
    const common = {
      pageSize,
      cursors,
      revisions,
      completions: { source: completions.source.bind(completions) },
    };
    const tools = new Tools<ToolDefinition, unknown>({
      ...common,
      schemas,
      errorText,
      structuredText,
    });
    const prompts = new Prompts<PromptDefinition, unknown>(common);
    this.resources = new Resources({
      ...common,
      ...(subscriptions === false ? {} : { subscriptions }),
    });
    this.#features = { tools, prompts, resources: this.resources, completions };
    this.kinds = {
      tool: toolKind(tools, this),
      prompt: promptKind(prompts, this),
      resource: resourceKind(this.resources, this),
      template: templateKind(this.resources, this),
    };
  }

  readonly contextOf: MakeContext = (context) => new FacadeContext(context, this);

  membersOf(list: string, name: string): readonly string[] | undefined {
    const newest = this.#revisions.find(({ projection }) => projection === undefined);
    const result = newest?.methods.get(list)?.result;
    return result && itemMembers(result, name);
  }

  readonly report = (error: Error): void => this.#host?.report(error);

  logFor(context: HandlerContext): Log {
    return this.logging?.for(context) ?? silent;
  }

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

  /** @throws TypeError if the id is invalid or registered already, or the server has been connected */
  addExtension(id: string, extension: RegisteredExtension): void {
    assertExtensionId(id);
    this.assertOpen("extensions cannot be added any more", "register them before");
    if (this.extensions.has(id)) throw new TypeError(`The extension ${id} is there already`);
    this.extensions.set(id, extension);
  }

  broadcast(method: string, params?: unknown): void {
    this.#host?.broadcast(method, params);
  }

  /** Notifies the client in whose session an elicitation was started, at any instance, that it is complete. */
  elicitationCompleted(elicitationId: string): void {
    const host = this.#host;
    if (!host?.revisions.some(knowsCompletion)) return;
    host.broadcast(COMPLETE, { elicitationId });
  }

  use<Added>(features: readonly FeatureName[], add: () => Added): Added {
    for (const name of features) {
      if (this.#used.has(name) || (this.#isFixed && this.#isDeclared(name))) continue;
      this.assertOpen(
        `${name} cannot be added any more, because clients have received capabilities without them`,
        `add one before, or declare them with the option capabilities: { ${name}: {} }`,
      );
    }
    const added = add();
    for (const name of features) this.#used.add(name);
    return added;
  }

  /** @throws TypeError if the server has been connected */
  assertOpen(problem: string, advice: string): void {
    if (this.#isFixed) throw new TypeError(`The server has been connected: ${problem}; ${advice}`);
  }

  /** The features that are in use. No others can follow. */
  fix(): Feature[] {
    this.#isFixed = true;
    const names = Object.keys(this.#features) as FeatureName[];
    const used = names.filter((name) => this.#used.has(name) || this.#isDeclared(name));
    return [this.#base(), ...used.map((name) => this.#features[name])];
  }

  #isDeclared(name: FeatureName): boolean {
    const declared = this.#declared[name];
    return declared !== undefined && declared !== false;
  }

  /** Feature that every server has. */
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
      sending: owners.length > 0 ? [extensionGate(new Map(owners), "client")] : [],
      attach: (host) => {
        this.#host = host;
        logging?.attach(host);
      },
    };
  }
}
