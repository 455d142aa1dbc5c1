import {
  type CreateMessageRequest,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type EmptyResult,
  type ListRootsRequest,
  type ListRootsResult,
  type LoggingMessageNotification,
  type Notification,
  type NotificationOptions,
  refusalOf,
  type Request,
  type RequestOptions,
  type ResourceUpdatedNotification,
  SdkError,
  SdkErrorCode,
  sdkErrorOf,
} from "../shared/index.js";
import {
  type Ask,
  type Debounce,
  requestThrough,
  notifyThrough,
  untyped,
  withMode,
} from "../shared/internal/index.js";
import type { Connection, Definition, NativeContext } from "./connection.js";

const ELICITATION = "elicitation/create";
const LIST_CHANGED = /^notifications\/(\w+)\/list_changed$/;
const UPDATED = "notifications/resources/updated";

/** The part of a server that sends requests and notifications to its client. */
export abstract class ClientMessages {
  protected abstract readonly _definition: Definition;
  protected abstract readonly _isStrict: boolean;
  protected abstract readonly _debounce: Debounce;
  protected _connection: Connection | undefined;
  protected _latest: NativeContext | undefined;

  /** True if the program has set its own handler for the method. */
  abstract hasHandler(method: string): boolean;

  /** Sends a request to the session's client. Handlers use their context instead, which works with every revision. */
  get request(): Ask {
    return requestThrough(this._session("request"));
  }

  /**
   * Sends a notification to the session's client. In a stateless conversation, a change notification is sent to the
   * clients that have subscribed.
   */
  async notification(notification: Notification): Promise<void> {
    if (this._isStateless && this._publish(notification)) return;
    const send = notifyThrough(this._session("notification"));
    await this._debounce(notification, () => send(notification));
  }

  /** Pings the session's client. */
  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this._send("ping", undefined, options);
  }

  /** Requests sampling from the session's client. */
  createMessage(
    params: CreateMessageRequest["params"],
    options?: RequestOptions,
  ): Promise<CreateMessageResult & CreateMessageResultWithTools> {
    return this._send("sampling/createMessage", params, options);
  }

  /** Asks the user of the session's client to fill in a form or open a web page. */
  elicitInput(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): Promise<ElicitResult> {
    const own = withMode(params);
    return this._send(ELICITATION, own, options, (error) => {
      const converted = sdkErrorOf(error);
      const code = SdkErrorCode.CapabilityNotSupported;
      if (!(converted instanceof SdkError) || converted.code !== code) return converted;
      return new SdkError(code, `Client does not support ${own.mode} elicitation.`, undefined, {
        cause: error,
      });
    });
  }

  /** Lists the roots of the session's client. */
  listRoots(
    params?: ListRootsRequest["params"],
    options?: RequestOptions,
  ): Promise<ListRootsResult> {
    return this._send("roots/list", params, options);
  }

  /** Returns a function that notifies clients that the user has completed a URL elicitation. */
  createElicitationCompletionNotifier(
    elicitationId: string,
    _options?: NotificationOptions,
  ): () => Promise<void> {
    const notify = this._definition.createElicitationCompletionNotifier(elicitationId);
    const method = "notifications/elicitation/complete";
    return async () => {
      if (this._connection?.client === undefined || this._isStateless) return notify();
      await this.notification({ method, params: { elicitationId } });
    };
  }

  /** Sends a log message to clients with sessions. Stateless clients do not receive it. */
  async sendLoggingMessage(params: LoggingMessageNotification["params"]): Promise<void> {
    const { level, data, logger } = params;
    this._definition.log(level, data, logger);
  }

  /** Notifies a resource's subscribers that it has changed. */
  async sendResourceUpdated(params: ResourceUpdatedNotification["params"]): Promise<void> {
    const { uri, _meta: meta } = params;
    // If the program handles subscription requests, it keeps track of the subscriptions itself, so the notification is
    // sent unfiltered.
    const isKept = this.hasHandler("resources/subscribe");
    if (isKept && this._connection?.client) await this.notification({ method: UPDATED, params });
    else untyped(this._definition).resourceUpdated(uri, meta);
  }

  /** Notifies clients that the list of resources has changed. */
  async sendResourceListChanged(): Promise<void> {
    this._listChanged("resource");
  }

  /** Notifies clients that the list of tools has changed. */
  async sendToolListChanged(): Promise<void> {
    this._listChanged("tool");
  }

  /** Notifies clients that the list of prompts has changed. */
  async sendPromptListChanged(): Promise<void> {
    this._listChanged("prompt");
  }

  private _listChanged(kind: "prompt" | "resource" | "tool"): void {
    this._definition.notify[`${kind}sChanged` as const]();
  }

  private async _send<Answer>(
    method: string,
    params: object | undefined,
    options: RequestOptions | undefined,
    errorOf: (error: unknown) => unknown = this._isStrict ? sdkErrorOf : refusalOf,
  ): Promise<Answer> {
    const send = requestThrough(this._session(method), errorOf) as (
      request: Request,
      options?: RequestOptions,
    ) => Promise<Answer>;
    return send({ method, params } as Request, options);
  }

  protected get _isStateless(): boolean {
    return this._latest?.traits.lifecycle === "discover";
  }

  /** Notifies subscribers of a change. Returns false if the notification is not about a change. */
  private _publish({ method, params }: Notification): boolean {
    if (method === UPDATED) {
      const { uri, _meta: meta } = params as ResourceUpdatedNotification["params"];
      untyped(this._definition).resourceUpdated(uri, meta);
      return true;
    }
    const list = LIST_CHANGED.exec(method)?.[1];
    const notify = (this._definition.notify as Readonly<Record<string, () => void>>)[
      `${list}Changed`
    ];
    if (notify === undefined) return false;
    notify();
    return true;
  }

  private _session(what: string): Connection {
    const connection = this._connection;
    if (connection && !this._isStateless) return connection;
    throw connection
      ? new SdkError(
          SdkErrorCode.MethodNotSupportedByProtocolVersion,
          `${what}: a stateless client accepts requests only while it waits for a result; use ctx.mcpReq of the handler`,
        )
      : new SdkError(SdkErrorCode.NotConnected, `${what}: this server has no connection`);
  }
}
