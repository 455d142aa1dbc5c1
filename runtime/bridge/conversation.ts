import {
  type AnyHandler,
  type CustomNotification,
  type CustomRequest,
  customNotification,
  customRequest,
  type Feature,
  type HandlerContext,
  INVALID_PARAMS,
  META,
  METHOD_NOT_FOUND,
  onCustom,
  type RelatedCall,
  type Revision,
  RpcError,
} from "@mcp-codegen/runtime";
import { type ConnectOptions, connect, type McpClient } from "@mcp-codegen/universal/client";
import type { AskingContext } from "@mcp-codegen/universal/server";
import { clientTasks } from "@mcp-codegen/universal/tasks";
import { type Abilities, type Caller, callerOf, carriedMeta, carriedResult } from "./callers.js";
import type { HeldCall } from "./held-calls.js";
import { ABILITIES, CHANGING, mayAsk, QUESTIONS, REVISIONS } from "./protocol.js";
import { declaringTasks, shareTasks } from "./tasks.js";
import type { NamedUpstream } from "./upstream.js";

type LogLevel = Parameters<HeldCall["log"]>[0];

export interface ConversationEvents {
  /** Called when a list such as `tools` may have changed. `list` is undefined if any list may have changed. */
  changed(list: string | undefined, caller: Caller | undefined): void;
  /** Called when the user has completed a URL-mode elicitation. */
  elicited(id: string): void;
  report(error: Error): void;
}

/** A conversation with an upstream server. It belongs to one caller or is shared. */
export class Conversation {
  readonly upstream: NamedUpstream;
  readonly caller: Caller | undefined;
  readonly abilities: Abilities;
  client!: McpClient;
  /** The tools that the server has listed since it last reported a change. */
  tools: ListedTools = { until: Infinity };
  /** The time of the last response, or of opening if there has not been one yet. */
  usedAt = Infinity;
  readonly #events: ConversationEvents;
  /** The calls in progress, newest last. */
  readonly #calls: Sent[] = [];
  readonly #followed = new Map<string, Followed>();
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

  get isStateless(): boolean {
    return this.client.era === "stateless";
  }

  get isBusy(): boolean {
    return this.#calls.length > 0 || this.#followed.size > 0;
  }

  /** Returns true if the server has the capability, such as `resources.subscribe`. */
  offers(path: string): boolean {
    let value: unknown = this.client.server.capabilities;
    for (const name of path.split("."))
      value = (value as Record<string, unknown> | undefined)?.[name];
    return value !== undefined && value !== false && value !== null;
  }

  get revision(): Revision {
    return REVISIONS.find(({ id }) => id === this.client.revision)!;
  }

  /** True if the server may complete arguments. In revisions that have no capability for this, any server may. */
  get completes(): boolean {
    const row = this.revision.methods.get("completion/complete");
    return row !== undefined && (row.capability === undefined || this.offers("completions"));
  }

  async open(signal: AbortSignal): Promise<void> {
    const { target, options } = this.upstream;
    const own: ConnectOptions = {
      cache: false,
      ...options,
      signal,
      capabilities: this.abilities as object,
      onerror: (error) => this.#events.report(error),
      extensions: [clientTasks()],
      features: [...(options.features ?? []), this.#answers()],
      custom: [
        onCustom(customRequest<unknown>("*"), (params, context) =>
          this.#ask(customRequest<unknown>(context.method), params, context),
        ),
        onCustom(customNotification<unknown>("*"), (params, context) => {
          const { method, call } = context;
          this.#notify(customNotification<unknown>(method), params, call);
        }),
      ],
    };
    this.client = await connect(target, own);
    const changed = (list?: string) => (): void => {
      this.tools = { until: Infinity };
      this.#events.changed(list, this.caller);
    };
    for (const { name } of CHANGING) {
      if (this.offers(`${name}.listChanged`))
        this.client.on(`${name}Changed` as "toolsChanged", changed(name));
    }
    this.client.on("stale", changed());
    this.usedAt = performance.now();
  }

  /**
   * Sends a caller's request and returns the result. In the meantime, the server's questions are forwarded to the
   * caller.
   *
   * @param signal - aborts the request, in addition to the call's own signal
   */
  async send(
    method: string | CustomRequest<unknown, unknown>,
    params: Params | undefined,
    call: HeldCall,
    ctx: AskingContext,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const sent: Sent = { call, ctx, mayAsk: mayAsk(method) };
    this.#calls.push(sent);
    try {
      const level = levelOf(ctx);
      if (!this.isStateless && level !== undefined && level !== this.#level)
        await this.#setLevel(level);
      const hasSameTasks = shareTasks(ctx.traits, this.revision.traits);
      const result: unknown = await this.client.request(
        method as "tools/call",
        this.#sent(params, ctx, hasSameTasks, level) as never,
        {
          timeout: Infinity,
          maxTotalTimeout: Infinity,
          rounds: "manual",
          tasks: hasSameTasks ? "manual" : "automatic",
          signal: signal ? AbortSignal.any([signal, call.signal]) : call.signal,
          context: call,
          ...(ctx.meta?.["progressToken"] !== undefined && {
            onprogress: ({ progress, total, message }) => call.progress(progress, total, message),
          }),
        },
      );
      return carriedResult(result);
    } finally {
      this.#calls.splice(this.#calls.indexOf(sent), 1);
      this.usedAt = performance.now();
    }
  }

  /**
   * Subscribes to a resource that is `given` to clients and `uri` to the server.
   *
   * @param updated - called with the server's URI for the changed resource
   */
  async follow(given: string, uri: string, updated: (uri: string) => void): Promise<void> {
    const { client } = this;
    const followed = this.#followed.get(given) ?? {
      ready: client.subscribe(uri, updated),
      end: () => client.unsubscribe(uri, updated),
    };
    this.#followed.set(given, followed);
    try {
      await followed.ready;
    } catch (error) {
      this.#followed.delete(given);
      throw error;
    }
  }

  async unfollow(given: string): Promise<void> {
    const followed = this.#followed.get(given);
    if (!followed) return;
    this.#followed.delete(given);
    await followed.ready.then(followed.end);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /**
   * Returns the parameters to send, without the members that belong to the caller's own conversation. A stateless
   * server also receives the capabilities that the caller declares.
   */
  #sent(
    params: Params | undefined,
    ctx: AskingContext,
    hasSameTasks: boolean,
    level?: LogLevel,
  ): object | undefined {
    const { meta } = ctx;
    const isTask = params?.["task"] !== undefined;
    if (!this.isStateless && meta === undefined && !isTask) return params;
    const { _meta: _, task, ...own } = params ?? {};
    const { capabilities } = ctx.client;
    const declared = this.isStateless && {
      [META.clientCapabilities]: hasSameTasks ? capabilities : declaringTasks(capabilities),
      ...(level && { [META.logLevel]: level }),
    };
    const carried = carriedMeta(meta);
    return {
      ...own,
      ...(isTask && hasSameTasks && { task }),
      ...((carried || declared) && { _meta: { ...carried, ...declared } }),
    };
  }

  async #setLevel(level: LogLevel): Promise<void> {
    this.#level = level;
    if (this.offers("logging")) await this.client.setLogLevel(level);
  }

  /**
   * Returns handlers for messages from the server. In a session, the capabilities that the caller lacks are switched
   * off.
   */
  #answers(): Feature {
    const lacking = ABILITIES.filter((family) => !Object.hasOwn(this.abilities, family));
    const handled = QUESTIONS.map(({ method }) => {
      const ask: AnyHandler = (params, context) => this.#ask(method, params, context);
      return [method, ask] as const;
    });
    return {
      handlers: {
        ...Object.fromEntries(handled),
        "notifications/message": (params, { call }) => this.#log(params as LogMessage, call),
        "notifications/elicitation/complete": (params) =>
          this.#events.elicited((params as { readonly elicitationId: string }).elicitationId),
        "notifications/tasks/status": (params) =>
          this.#notify("notifications/tasks/status", params),
      },
      capabilities: ({ traits }) =>
        traits.serverRequests === "wire"
          ? Object.fromEntries(lacking.map((one) => [one, false]))
          : {},
    };
  }

  async #ask(
    message: string | CustomRequest<unknown, unknown>,
    params: unknown,
    context: HandlerContext,
  ): Promise<unknown> {
    const { method, call, signal } = context;
    const found = this.#callOf(call, true);
    const isOwn = typeof message !== "string";
    try {
      if (found && !isOwn) return await found.call.ask(message, params, { signal });
      const ctx = found?.ctx;
      const session = this.caller?.session ?? (isOwn ? ctx?.session : undefined);
      if (session === undefined) throw new Error("no request from the client is in progress");
      const { id, traits } = session.revision;
      if (isOwn && traits.serverRequests !== "wire") {
        throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${id} has no requests to clients`);
      }
      const send = (ctx ?? session).request as (...request: unknown[]) => Promise<unknown>;
      return await send.call(ctx ?? session, message, params, { signal, timeout: Infinity });
    } catch (error) {
      // In a session, the question may belong to a different call from the one that the caller has just cancelled, so
      // look again.
      const isAnothers = this.caller?.session && call === undefined && found?.call.signal.aborted;
      if (isAnothers && !signal.aborted) return this.#ask(message, params, context);
      if (error instanceof RpcError) throw error;
      const problem = error instanceof Error ? error.message : String(error);
      throw new RpcError(INVALID_PARAMS, `${method} was not answered: ${problem}`);
    }
  }

  /**
   * Returns the call that a message from the server belongs to. If the message does not identify it, this is the only
   * call in progress, or the newest one if all calls are from the same session or connection. Returns undefined rather
   * than a call that may be another user's.
   */
  #callOf(related: RelatedCall | undefined, isQuestion = false): Sent | undefined {
    const { context } = related ?? {};
    const known = this.#calls.find(({ call }) => call === context);
    if (known) return known;
    const { key, session } = this.caller ?? {};
    if (context && typeof key !== "object") return undefined;
    const possible = this.#calls.filter(
      (one) => !one.call.signal.aborted && (one.mayAsk || session || !isQuestion),
    );
    const [sender, ...others] = new Set(possible.map(({ ctx }) => callerOf(ctx)?.key));
    const isOne = possible.length === 1 || (others.length === 0 && typeof sender === "object");
    return isOne ? possible.at(-1) : undefined;
  }

  #log({ level, data, logger }: LogMessage, call: RelatedCall | undefined): void {
    const { name } = this.upstream;
    const source = name === "" || logger === undefined ? logger : `${name}/${logger}`;
    const named = source ?? (name === "" ? undefined : name);
    const own = this.#callOf(call);
    if (own) return own.call.log(level, data, named);
    const params = { level, data, ...(named !== undefined && { logger: named }) };
    void this.caller?.session?.notify("notifications/message", params).catch(() => {});
  }

  #notify(
    message: string | CustomNotification<unknown>,
    params: unknown,
    call?: RelatedCall,
  ): void {
    const to = this.#callOf(call)?.ctx ?? this.caller?.session;
    const notify = to?.notify as ((...message: unknown[]) => Promise<void>) | undefined;
    void notify?.call(to, message, params).catch(() => {});
  }
}

type Params = Readonly<Record<string, unknown>>;

interface ListedTools {
  byName?: ReadonlyMap<string, Params>;
  /** The time after which the list may be out of date, on the `performance.now()` clock. */
  until: number;
}

interface Sent {
  readonly call: HeldCall;
  readonly ctx: AskingContext;
  /** True if the server may send questions during the request. */
  readonly mayAsk: boolean;
}

interface Followed {
  readonly ready: Promise<void>;
  readonly end: () => Promise<void>;
}

interface LogMessage {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

const LEVELS = new WeakMap<object, LogLevel>();

export function noteLevel(session: object, level: unknown): void {
  LEVELS.set(session, level as LogLevel);
}

function levelOf({ session, meta }: AskingContext): LogLevel | undefined {
  return LEVELS.get(session) ?? (meta?.[META.logLevel] as LogLevel | undefined);
}
