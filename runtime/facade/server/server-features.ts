import type { CustomHandler, Feature, FeatureHost, HandlerContext } from "../../api/index.js";
import {
  COMPLETE,
  Completions,
  type Log,
  Logging,
  type PromptDefinition,
  Prompts,
  Resources,
  type Schemas,
  type ToolDefinition,
  Tools,
  knowsCompletion,
  completionAudience,
} from "../../features/index.js";
import { type ProtocolExtension, isObject } from "../../wire/index.js";
import type { NewestNames } from "../list-events.js";
import { furtherFamilies } from "./abilities.js";
import { extensionGate } from "../extensions/extension-gate.js";
import { assertExtensionId } from "../extensions/extension-id.js";
import { type ContextHost, FacadeContext, type MakeContext } from "./facade-context.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { PromptCompleters } from "./prompt-completers.js";
import { messageOf } from "./tell-errors.js";

/** Capability of a server that a feature provides. */
export type FeatureName = "tools" | "prompts" | "resources" | "completions";

/** An extension as the server has it. */
export interface RegisteredExtension {
  readonly settings: object;
  readonly messages: readonly CustomHandler[];
  /** Parts that it adds to the revisions, with the messages that only the server sends. */
  readonly protocol: ProtocolExtension;
}

const DEFAULT_ASK_TIMEOUT = 600_000;

const silent: Log = () => undefined;

/** The features of a server, those that are in use: a server declares what it has. */
export class ServerFeatures implements ContextHost {
  readonly tools: Tools<ToolDefinition, unknown>;
  readonly prompts: Prompts<PromptDefinition, unknown>;
  readonly resources: Resources;
  readonly completers: PromptCompleters;
  readonly logging: Logging | undefined;
  readonly extensions: Map<string, RegisteredExtension> = new Map();
  readonly schemas: Schemas;
  /** Milliseconds to wait for what a user or a model has to answer. */
  readonly askTimeout: number;
  readonly families: ReadonlySet<string>;
  readonly hideForbidden: boolean;
  readonly tellErrors: boolean;
  readonly #completions: Completions;
  readonly #sendsUnaskedLogs: boolean;
  readonly #used = new Set<FeatureName>();
  readonly #declared: Readonly<Record<string, unknown>>;
  #host: FeatureHost | undefined;
  #isFixed = false;

  constructor(options: McpServerOptions, { families }: NewestNames) {
    const { schemas, logging, subscriptions = {}, structuredText } = options;
    const { tellErrors: tells = false, errorText = tells ? messageOf : undefined } = options;
    const { pageSize, cursors, capabilities, askTimeout = DEFAULT_ASK_TIMEOUT } = options;
    this.askTimeout = askTimeout;
    this.families = furtherFamilies(families);
    const revisions = options.checkContent === false ? [] : options.revisions;
    const paging = { pageSize, cursors, revisions };
    this.#declared = isObject(capabilities) ? capabilities : {};
    this.hideForbidden = options.hideForbidden ?? false;
    this.tellErrors = tells;
    this.#sendsUnaskedLogs = options.unaskedLogs ?? false;
    this.schemas = schemas;
    this.logging = logging === false ? undefined : new Logging(logging);
    this.tools = new Tools({ ...paging, schemas, errorText, structuredText });
    this.prompts = new Prompts(paging);
    this.#completions = new Completions();
    this.completers = new PromptCompleters(this.contextOf, (name, context) =>
      this.prompts.isVisible(name, context),
    );
    this.#completions.source(this.completers.source);
    this.resources = new Resources({
      ...paging,
      ...(subscriptions === false ? {} : { subscriptions }),
      completions: { source: (source) => this.#completions.source(source) },
    });
  }

  readonly contextOf: MakeContext = (context) => new FacadeContext(context, this);

  readonly report = (error: Error): void => this.#host?.report(error);

  logFor(context: HandlerContext): Log {
    return this.logging?.for(context) ?? silent;
  }

  /** Rejects nowhere: a log is no reason for a handler to fail. */
  async tellLog(context: HandlerContext, params: unknown): Promise<void> {
    const level = isObject(params) ? params["level"] : undefined;
    const method = "notifications/message";
    if (this.#sendsUnaskedLogs || this.logging?.isWanted(context, level)) {
      const notify = context.notify as (method: string, params: unknown) => Promise<void>;
      return notify(method, params);
    }
    this.report(new Error(`${method} was not sent: the client has not asked for its level`));
  }

  hasExtension(id: string): boolean {
    return this.extensions.has(id);
  }

  /** @throws TypeError for what is no id, one that is there already, and when the server has been connected */
  addExtension(id: string, extension: RegisteredExtension): void {
    assertExtensionId(id);
    this.assertOpen("extensions cannot be added any more", "register them before");
    if (this.extensions.has(id)) throw new TypeError(`The extension ${id} is there already`);
    this.extensions.set(id, extension);
  }

  broadcast(method: string, params?: unknown): void {
    this.#host?.broadcast(method, params);
  }

  /** Tells the client in whose session an elicitation was started, at any instance, that it is done. */
  elicitationCompleted(elicitationId: string): void {
    const host = this.#host;
    if (!host?.revisions.some(knowsCompletion)) return;
    host.broadcast(COMPLETE, { elicitationId });
  }

  /**
   * Adds something by means of a feature, which becomes a part of the server by that.
   * @throws TypeError when it is too late for that, and what adding it throws
   */
  use<Added>(offer: FeatureName, add: () => Added): Added {
    const isUsed = this.#used.has(offer) || (this.#isFixed && this.#isDeclared(offer));
    if (!isUsed) {
      this.assertOpen(
        `${offer} cannot be added any more, as clients have been told that there are none`,
        `add one before, or declare them with the option capabilities: { ${offer}: {} }`,
      );
    }
    const added = add();
    this.#used.add(offer);
    return added;
  }

  /** @throws TypeError when the server has been connected */
  assertOpen(problem: string, advice: string): void {
    if (this.#isFixed) throw new TypeError(`The server has been connected: ${problem}; ${advice}`);
  }

  /** The features that are in use. None can follow. */
  fix(): Feature[] {
    this.#isFixed = true;
    const { tools, prompts, resources } = this;
    const all = { tools, prompts, resources, completions: this.#completions };
    const names = (Object.keys(all) as FeatureName[]).filter(
      (name) => this.#used.has(name) || this.#isDeclared(name),
    );
    return [this.#base(), ...names.map((name) => all[name])];
  }

  #isDeclared(offer: FeatureName): boolean {
    const declared = this.#declared[offer];
    return declared !== undefined && declared !== false;
  }

  /** Feature that every server has. */
  #base(): Feature {
    const { logging, extensions } = this;
    const settings = [...extensions].map(([id, extension]) => [id, extension.settings]);
    const owners = [...extensions].flatMap(([id, { protocol }]) =>
      protocol.rows.map(({ method }) => [method, id] as const),
    );
    return {
      handlers: logging?.handlers ?? {},
      lasting: logging?.lasting,
      capabilities: {
        ...(logging ? { logging: {} } : {}),
        ...(settings.length > 0 ? { extensions: Object.fromEntries(settings) as object } : {}),
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
