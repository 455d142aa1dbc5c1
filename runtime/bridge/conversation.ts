import {
  type HandlerContext,
  INVALID_PARAMS,
  META,
  type Method,
  type Revision,
  RpcError,
} from "@mcp-codegen/runtime";
import { type ConnectOptions, connect, type McpClient } from "@mcp-codegen/universal/client";
import type { AskingContext, HeldCall } from "@mcp-codegen/universal/server";
import { type Abilities, type Caller, callerOf, carriedMeta, carriedResult } from "./callers.js";
import type { NamedUpstream } from "./upstream.js";

type LogLevel = Parameters<HeldCall["log"]>[0];

/** Events of the conversations with a server, and the facts that they share. */
export interface ConversationEvents {
  readonly revisions: readonly Revision[];
  /** Requests that servers send to clients. */
  readonly questions: readonly Method[];
  /** Called when a list may have changed: `tools`; undefined for all lists. */
  changed(list: string | undefined, caller: Caller | undefined): void;
  /** Called when the user has completed an elicitation on its web page. */
  elicited(id: string): void;
  report(error: Error): void;
}

/**
 * Conversation with an upstream server: of one caller, or shared by all callers if its requests are
 * self-contained.
 */
export class Conversation {
  readonly upstream: NamedUpstream;
  readonly caller: Caller | undefined;
  readonly abilities: Abilities;
  client!: McpClient;
  /** Time of the last request. */
  usedAt = performance.now();
  /** Subscriptions to resources that its caller has. */
  subscriptions = 0;
  readonly #events: ConversationEvents;
  /** Calls under way, the newest last, with the identity of their callers. */
  readonly #calls = new Map<HeldCall, object | string | undefined>();
  #level: LogLevel | undefined;

  constructor(
    upstream: NamedUpstream,
    caller: Caller | undefined,
    abilities: Abilities,
    events: ConversationEvents,
  ) {
    this.upstream = upstream;
    this.caller = caller;
    this.abilities = abilities;
    this.#events = events;
  }

  /** True if requests are self-contained, so that all callers can share the conversation. */
  get isStateless(): boolean {
    return this.client.era === "stateless";
  }

  /** True if it has calls or subscriptions, and must not be ended. */
  get isBusy(): boolean {
    return this.#calls.size > 0 || this.subscriptions > 0;
  }

  /**
   * Newest call in progress; undefined if calls of several callers are in progress, because a
   * message must not reach the wrong one.
   */
  get #newest(): HeldCall | undefined {
    const [call, caller] = [...this.#calls].at(-1) ?? [];
    if (this.#calls.size === 1) return call;
    const isSame = caller !== undefined && [...this.#calls.values()].every((one) => one === caller);
    return isSame ? call : undefined;
  }

  /** True for a capability of the server: `resources.subscribe`. */
  offers(path: string): boolean {
    let value: unknown = this.client.server.capabilities;
    for (const name of path.split("."))
      value = (value as Record<string, unknown> | undefined)?.[name];
    return value !== undefined && value !== false && value !== null;
  }

  /** True if the server completes arguments; in revisions without a capability for that, it may. */
  get completes(): boolean {
    const revision = this.#events.revisions.find(({ id }) => id === this.client.revision);
    const row = revision?.methods.get("completion/complete");
    return row !== undefined && (row.capability === undefined || this.offers("completions"));
  }

  /** Connects. @param lists - lists that can change, by name: `tools` */
  async open(lists: readonly string[], signal?: AbortSignal): Promise<void> {
    const { target, options } = this.upstream;
    const own: ConnectOptions = {
      cache: false,
      ...options,
      ...(signal && { signal }),
      capabilities: this.abilities as object,
      onerror: (error) => this.#events.report(error),
      handlers: {
        ...Object.fromEntries(this.#answers()),
        "notifications/message": (params: LogMessage, { call }: HandlerContext) =>
          this.#log(params, call?.context as HeldCall | undefined),
        "notifications/elicitation/complete": ({ elicitationId }: { elicitationId: string }) =>
          this.#events.elicited(elicitationId),
      },
    };
    this.client = await connect(target, own);
    const changed = (list?: string) => (): void => this.#events.changed(list, this.caller);
    for (const list of lists) {
      if (this.offers(`${list}.listChanged`)) {
        this.client.on(`${list}Changed` as "toolsChanged", changed(list));
      }
    }
    this.client.on("stale", changed());
  }

  /**
   * Sends a request of a caller, and returns its result. Questions that the server sends meanwhile
   * go to the caller.
   *
   * @param signal - aborts it, in addition to the signal of the call
   */
  async send(
    method: string,
    params: Readonly<Record<string, unknown>> | undefined,
    call: HeldCall,
    ctx: AskingContext,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>> {
    this.usedAt = performance.now();
    this.#calls.set(call, callerOf(ctx)?.key);
    try {
      await this.#setLevel(ctx);
      const { _meta: _, ...own } = params ?? {};
      const sent = { ...own, ...this.#meta(ctx) };
      const hasProgress = ctx.meta?.["progressToken"] !== undefined;
      const result: unknown = await this.client.request(method as "tools/call", sent as never, {
        timeout: Infinity,
        maxTotalTimeout: Infinity,
        rounds: "manual",
        tasks: "manual",
        signal: signal ? AbortSignal.any([signal, call.signal]) : call.signal,
        context: call,
        ...(hasProgress && {
          onprogress: ({ progress, total, message }) => call.progress(progress, total, message),
        }),
      });
      return carriedResult(result);
    } finally {
      this.#calls.delete(call);
      this.usedAt = performance.now();
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** `_meta` of a request: that of the caller, and in a shared conversation what this caller declares. */
  #meta(ctx: AskingContext): { readonly _meta?: object } {
    const own = this.isStateless && {
      [META.clientCapabilities]: ctx.client.capabilities,
      ...(levelOf(ctx) && { [META.logLevel]: levelOf(ctx) }),
    };
    const carried = carriedMeta(ctx.meta);
    return carried || own ? { _meta: { ...carried, ...own } } : {};
  }

  /** Requests the log level of the caller, if it has changed. */
  async #setLevel(ctx: AskingContext): Promise<void> {
    const level = levelOf(ctx);
    if (this.isStateless || level === undefined || level === this.#level) return;
    this.#level = level;
    if (this.offers("logging")) await this.client.setLogLevel(level);
  }

  /** Handlers of the requests of the server, for those abilities that the caller has. */
  *#answers(): Generator<readonly [string, (params: unknown, context: HandlerContext) => unknown]> {
    for (const { method, capability } of this.#events.questions) {
      const family = capability?.split(".")[1];
      if (family === undefined || !Object.hasOwn(this.abilities, family)) continue;
      yield [method, (params, context) => this.#ask(method, params, context)];
    }
  }

  /** Passes a request of the server to the caller: within the call that it belongs to, or else the newest one. */
  async #ask(method: string, params: unknown, { call, signal }: HandlerContext): Promise<unknown> {
    const found = (call?.context as HeldCall | undefined) ?? this.#newest;
    try {
      if (found) return await found.ask(method, params, { signal });
      const session = this.caller?.session;
      if (session === undefined) throw new Error("no request of the client is under way");
      return await session.request(method, params, { signal, timeout: Infinity });
    } catch (error) {
      if (error instanceof RpcError) throw error;
      const problem = error instanceof Error ? error.message : String(error);
      throw new RpcError(INVALID_PARAMS, `${method} was not answered: ${problem}`);
    }
  }

  #log({ level, data, logger }: LogMessage, call: HeldCall | undefined): void {
    const { name } = this.upstream;
    const source = name === "" || logger === undefined ? logger : `${name}/${logger}`;
    const own = call ?? this.#newest;
    if (own) return own.log(level, data, source ?? (name === "" ? undefined : name));
    const session = this.caller?.session;
    const named = source ?? (name === "" ? undefined : name);
    const params = { level, data, ...(named !== undefined && { logger: named }) };
    void session?.notify("notifications/message", params).catch(() => {});
  }
}

interface LogMessage {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** Levels that sessions have set. */
const LEVELS = new WeakMap<object, LogLevel>();

/** Records the log level of a session. */
export function noteLevel({ session }: AskingContext, level: LogLevel): void {
  LEVELS.set(session, level);
}

function levelOf({ session, meta }: AskingContext): LogLevel | undefined {
  return LEVELS.get(session) ?? (meta?.[META.logLevel] as LogLevel | undefined);
}
