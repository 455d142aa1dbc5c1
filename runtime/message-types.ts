import type { CustomNotification, CustomRequest } from "./custom.js";
import type { RequestOptions } from "./options.js";

/** A map of requests by method: `{ "tools/call": { params: …; result: … } }`. */
export type RequestTypes<Requests> = {
  readonly [Method in keyof Requests]: { readonly params?: unknown; readonly result: unknown };
};

/** A map of notifications by method: `{ "notifications/progress": { params: … } }`. */
export type NotificationTypes<Notifications> = {
  readonly [Method in keyof Notifications]: { readonly params?: unknown };
};

/** What follows the method when a request is sent: its parameters, optional where they are, and options. */
export type RequestArguments<Request> = Request extends { readonly params: infer Params }
  ? [params: Params, options?: RequestOptions | undefined]
  : Request extends { readonly params?: infer Params }
    ? [params?: Params | undefined, options?: RequestOptions | undefined]
    : never;

/** What follows the method when a notification is sent. */
export type NotificationArguments<Notification> = Notification extends {
  readonly params: infer Params;
}
  ? [params: Params]
  : Notification extends { readonly params?: infer Params }
    ? [params?: Params | undefined]
    : never;

export type ResultOf<Request> = Request extends { readonly result: infer Result } ? Result : never;

/** Sends a request and gives its result; the map says which methods there are. */
export interface SendRequest<Requests> {
  <Method extends keyof Requests & string>(
    method: Method,
    ...rest: RequestArguments<Requests[Method]>
  ): Promise<ResultOf<Requests[Method]>>;
  /** Sends a request of your own. */
  <Params, Result>(
    message: CustomRequest<Params, Result>,
    params: NoInfer<Params>,
    options?: RequestOptions | undefined,
  ): Promise<Result>;
}

/** Sends a notification; the promise waits when the peer reads too slowly. */
export interface SendNotification<Notifications> {
  <Method extends keyof Notifications & string>(
    method: Method,
    ...rest: NotificationArguments<Notifications[Method]>
  ): Promise<void>;
  /** Sends a notification of your own. */
  <Params>(message: CustomNotification<Params>, params: NoInfer<Params>): Promise<void>;
}
