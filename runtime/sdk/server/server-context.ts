import {
  type AuthInfo,
  authInfoOf,
  type BaseContext,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type CreateMessageRequest,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  PROTOCOL_VERSION_META_KEY,
  type RequestHandlerExtra,
  type RequestId,
  type RequestInfo,
  type RequestMeta,
  type RequestOptions,
  sdkErrorOf,
  type ServerNotification,
  type ServerRequest,
} from "../shared/index.js";
import type { NativeContext } from "./connection.js";
import { headersOf, SessionTransport } from "./session-transport.js";
import {
  type Ask,
  requestThrough,
  notifyThrough,
  untyped,
  withMode,
} from "../shared/internal/index.js";

/** The context of server handlers, with the property names of both versions of the official SDK. */
export type ServerContext = BaseContext & {
  mcpReq: {
    /** Sends a log message to the client, if its level is enabled. */
    log: (level: LoggingLevel, data: unknown, logger?: string) => Promise<void>;
    /** Asks the user to fill in a form or open a web page. Works in every revision. */
    elicitInput: (
      params: ElicitRequestFormParams | ElicitRequestURLParams,
      options?: RequestOptions,
    ) => Promise<ElicitResult>;
    /** Requests sampling from the client; works in every revision. */
    requestSampling: (
      params: CreateMessageRequest["params"],
      options?: RequestOptions,
    ) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  };
  http?:
    | {
        req?: globalThis.Request | undefined;
        closeSSE?: (() => void) | undefined;
        closeStandaloneSSE?: (() => void) | undefined;
      }
    | undefined;
} & RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * Returns a request's parameters without the `_meta` members that every stateless message has. Handlers receive those
 * members as `envelope`.
 */
export function paramsOf(params: unknown): unknown {
  const { _meta: meta } = (params ?? {}) as { _meta?: RequestMeta };
  if (meta === undefined || !(PROTOCOL_VERSION_META_KEY in meta)) return params;
  const { _meta: _, ...others } = params as { _meta: RequestMeta };
  const own = metaOf(meta);
  return own === undefined ? others : { ...others, _meta: own };
}

function metaOf(meta: RequestMeta | undefined): RequestMeta | undefined {
  if (meta === undefined || !(PROTOCOL_VERSION_META_KEY in meta)) return meta;
  const {
    [PROTOCOL_VERSION_META_KEY]: _version,
    [CLIENT_INFO_META_KEY]: _info,
    [CLIENT_CAPABILITIES_META_KEY]: _capabilities,
    [LOG_LEVEL_META_KEY]: _level,
    ...own
  } = meta;
  return Object.keys(own).length === 0 ? undefined : own;
}

/**
 * The context passed to handlers, derived from the runtime's context. One is created for each message, so its
 * properties are created only when they are used.
 */
export class HandlerContext implements RequestHandlerExtra<ServerRequest, ServerNotification> {
  private readonly _native: NativeContext;
  private readonly _state: unknown;

  /** @param state - the decoded state that the handler receives */
  constructor(native: NativeContext, state: unknown) {
    this._native = native;
    this._state = state;
  }

  get sessionId(): string | undefined {
    return this._native.sessionId;
  }

  get requestId(): RequestId {
    return this._native.id!;
  }

  get signal(): AbortSignal {
    return this._native.signal;
  }

  get _meta(): RequestMeta | undefined {
    return metaOf(this._native.meta as RequestMeta | undefined);
  }

  get authInfo(): AuthInfo | undefined {
    return authInfoOf(this._native.auth);
  }

  get requestInfo(): RequestInfo | undefined {
    return { headers: headersOf(this._native.header) };
  }

  get sendNotification(): RequestHandlerExtra["sendNotification"] {
    return notifyThrough(this._native);
  }

  get sendRequest(): Ask {
    return requestThrough(this._native);
  }

  get closeSSEStream(): () => void {
    return () => this._native.releaseStream();
  }

  get closeStandaloneSSEStream(): (() => void) | undefined {
    const { locals } = this._native;
    if (!(locals instanceof SessionTransport && locals.storesEvents)) return undefined;
    return () => locals.closeStandaloneSSEStream();
  }

  get mcpReq(): ServerContext["mcpReq"] {
    const native = this._native;
    const { mcpReq } = native;
    const meta = native.meta as RequestMeta | undefined;
    return {
      id: native.id!,
      method: native.method,
      _meta: metaOf(meta),
      envelope: meta as ServerContext["mcpReq"]["envelope"],
      inputResponses: Object.keys(native.answers).length === 0 ? undefined : { ...native.answers },
      requestState: <State>() => this._state as State | undefined,
      signal: native.signal,
      send: requestThrough(native),
      notify: notifyThrough(native),
      log: async (level, data, logger) => native.log(level, data, logger),
      elicitInput: (params, options) =>
        requestThrough(native, sdkErrorOf)(
          { method: "elicitation/create", params: withMode(params) },
          options,
        ),
      requestSampling: (params, options) => untyped(mcpReq).requestSampling(params, options),
    };
  }

  get http(): ServerContext["http"] {
    const { header } = this._native;
    if (header("host") === undefined && this._native.auth === undefined) return undefined;
    return {
      authInfo: this.authInfo,
      req: { headers: headersOf(header) } as unknown as globalThis.Request,
      closeSSE: this.closeSSEStream,
      closeStandaloneSSE: this.closeStandaloneSSEStream,
    } as ServerContext["http"];
  }
}

export function contextOf(native: NativeContext, state: unknown = native.state): ServerContext {
  return new HandlerContext(native, state);
}

export function nativeOf(ctx: unknown): NativeContext | undefined {
  return ctx instanceof HandlerContext ? ctx["_native"] : undefined;
}
