import { type HandlerContext, isInputRequired, type RequestOptions } from "../../api/index.js";
import { declaredSettings } from "../../rules/index.js";
import type { Log } from "../../features/index.js";
import { onDemand, quiet } from "../../ground/index.js";
import type { Auth, RequestId, Revision, Traits } from "../../wire/index.js";
import type { AnyTypes } from "../neutral-types.js";
import { abilitiesOf, assertAble, capabilitiesOf } from "./abilities.js";
import type {
  Abilities,
  AskingContext,
  AskOptions,
  FormOutcome,
  FlatQuestion,
  FormOrSchema,
  FormQuestion,
  KnownClient,
  RequestView,
  UrlQuestion,
} from "./context-types.js";

const LOG = "notifications/message";

type Asking = typeof import("./asking.js");
const whenAsking = onDemand(() => import("./asking.js"));

/**
 * Converts the value that a handler returned. If it contains requests, first asserts that the client can answer them.
 */
export function askable<Value, Next>(
  outcome: Value,
  context: HandlerContext,
  convert: (outcome: Value) => Next,
): Next | Promise<Awaited<Next>> {
  if (!isInputRequired(outcome)) return convert(outcome);
  return whenAsking(({ assertAskable }) => {
    assertAskable(outcome, context);
    return convert(outcome);
  });
}

export type MakeContext = (context: HandlerContext) => AskingContext<AnyTypes>;

export interface ContextHost {
  logFor(context: HandlerContext): Log;
  /** Sends a log message unchanged, if the client has requested its level; otherwise reports the message. */
  sendLog(context: HandlerContext, params: unknown): Promise<void>;
  hasExtension(id: string, revision: Revision): boolean;
  /** The families of requests for which `can` has a property of the same name. */
  readonly families: ReadonlySet<string>;
  /** The time to wait for an answer from a user or a model, in milliseconds. */
  readonly askTimeout: number;
}

/**
 * The context that the facade's handlers receive. One is created for each message, so its properties are created on
 * first use.
 */
export class FacadeContext implements AskingContext<AnyTypes> {
  readonly #context: HandlerContext;
  readonly #host: ContextHost;
  #log: Log | undefined;

  constructor(context: HandlerContext, host: ContextHost) {
    this.#context = context;
    this.#host = host;
  }

  get method(): string {
    return this.#context.method;
  }

  get id(): RequestId | undefined {
    return this.#context.id;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get auth(): Auth | undefined {
    return this.#context.auth;
  }

  get locals(): unknown {
    return this.#context.locals;
  }

  get task(): HandlerContext["task"] {
    return this.#context.task;
  }

  get params(): Readonly<Record<string, unknown>> | undefined {
    return this.#context.params as Readonly<Record<string, unknown>> | undefined;
  }

  get meta(): Readonly<Record<string, unknown>> | undefined {
    return this.#context.meta;
  }

  /** Loads the code for requests first, so that a request sent inside `once` is recognized. */
  get once(): HandlerContext["once"] {
    const { once } = this.#context;
    return async (key, work) => whenAsking(() => once(key, work));
  }

  get progress(): HandlerContext["progress"] {
    return this.#context.progress;
  }

  get releaseStream(): HandlerContext["releaseStream"] {
    return this.#context.releaseStream;
  }

  get requireScopes(): HandlerContext["requireScopes"] {
    return this.#context.requireScopes;
  }

  get header(): HandlerContext["header"] {
    return this.#context.header;
  }

  get request(): AskingContext<AnyTypes>["request"] {
    return ((...call: unknown[]) =>
      this.#ask((asking) =>
        asking.askAny(this.#context, call),
      )) as AskingContext<AnyTypes>["request"];
  }

  get notify(): AskingContext<AnyTypes>["notify"] {
    const context = this.#context;
    const notify = context.notify as (...call: unknown[]) => Promise<void>;
    return ((...call: unknown[]) =>
      call[0] === LOG
        ? this.#host.sendLog(context, call[1])
        : notify(...call)) as AskingContext<AnyTypes>["notify"];
  }

  get client(): KnownClient<AnyTypes> {
    const { session } = this.#context;
    return { info: session.peer.info, capabilities: capabilitiesOf(session) };
  }

  get session(): HandlerContext["session"] {
    return this.#context.session;
  }

  get revision(): string {
    return this.#context.session.revision.id;
  }

  get traits(): Traits {
    return this.#context.session.revision.traits;
  }

  get sessionId(): string | undefined {
    return this.#context.session.id;
  }

  get log(): Log {
    this.#log ??= this.#host.logFor(this.#context);
    return this.#log;
  }

  get can(): AskingContext<AnyTypes>["can"] {
    return abilitiesOf(this.#context.session, this.#host.families);
  }

  get require(): (needed: keyof Abilities | object) => void {
    return (needed) => assertAble(this.#context, needed);
  }

  get extension(): (id: string) => Readonly<Record<string, unknown>> | undefined {
    const { session } = this.#context;
    return (id) =>
      this.#host.hasExtension(id, session.revision) ? declaredSettings(session, id) : undefined;
  }

  get elicit(): AskingContext<AnyTypes>["elicit"] {
    return <Schema extends FormOrSchema>(question: FlatQuestion<Schema>, options?: AskOptions) =>
      this.#ask<FormOutcome<Schema>>((asking) =>
        asking.askForm(this.#context, question, this.#patient(options)),
      );
  }

  get elicitUrl(): AskingContext<AnyTypes>["elicitUrl"] {
    return (question: UrlQuestion, options) =>
      this.#ask((asking) => asking.askUrl(this.#context, question, this.#patient(options)));
  }

  get sample(): AskingContext<AnyTypes>["sample"] {
    return (params, options) =>
      this.#ask((asking) =>
        asking.askFor(this.#context, "sampling/createMessage", params, this.#patient(options)),
      );
  }

  get listRoots(): AskingContext<AnyTypes>["listRoots"] {
    return (options) =>
      this.#ask((asking) => asking.askFor(this.#context, "roots/list", undefined, options));
  }

  get answers(): Readonly<Record<string, unknown>> {
    return this.#context.answers;
  }

  get state(): unknown {
    return this.#context.state;
  }

  get mcpReq(): RequestView<AnyTypes> {
    return requestView(this);
  }

  get http(): { readonly authInfo: Auth | undefined } | undefined {
    const { auth } = this;
    return auth && { authInfo: auth };
  }

  #ask<Answer>(send: (asking: Asking) => Promise<unknown>): Promise<Answer> {
    const requested = whenAsking((asking) => asking.explained(send(asking), this.#context));
    return quiet(requested as Promise<Answer>);
  }

  #patient(options: AskOptions | undefined): AskOptions {
    const { askTimeout } = this.#host;
    return { timeout: askTimeout, maxTotalTimeout: askTimeout, ...options };
  }
}

export function requestView(context: AskingContext<AnyTypes>): RequestView<AnyTypes> {
  const send = context.request as Send;
  const notify = context.notify as Notify;
  return {
    id: context.id,
    method: context.method,
    _meta: context.meta,
    signal: context.signal,
    inputResponses: context.answers,
    requestState: <State>() => context.state as State | undefined,
    log: async (...message) => context.log(...message),
    elicitInput: (params: { readonly mode?: string }, options) =>
      params.mode === "url"
        ? context.elicitUrl(params as UrlQuestion, options)
        : context.elicit(params as FormQuestion<FormOrSchema>, options),
    requestSampling: context.sample,
    send: ({ method, params }, options) => send(method, params, options),
    notify: ({ method, params }) => notify(method, params),
  };
}

type Send = (
  method: string,
  params: object | undefined,
  options?: RequestOptions,
) => Promise<unknown>;
type Notify = (method: string, params?: object) => Promise<void>;
