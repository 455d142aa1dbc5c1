import type { CustomNotification, CustomRequest } from "./custom.js";
import type { RequestOptions } from "./request-options.js";

/** Maps methods to requests: `{ "tools/call": { params: …; result: … } }`. */
export type RequestTypes<Requests> = {
  readonly [Method in keyof Requests]: { readonly params?: unknown; readonly result: unknown };
};

/** Maps methods to notifications: `{ "notifications/progress": { params: … } }`. */
export type NotificationTypes<Notifications> = {
  readonly [Method in keyof Notifications]: { readonly params?: unknown };
};

/**
 * The arguments that follow the method when a request is sent: its parameters, optional if they may be omitted, and the
 * options.
 */
export type RequestArguments<Request> = Request extends { readonly params: infer Params }
  ? [params: Params, options?: RequestOptions | undefined]
  : Request extends { readonly params?: infer Params }
    ? [params?: Params | undefined, options?: RequestOptions | undefined]
    : never;

/** The arguments that follow the method when a notification is sent. */
export type NotificationArguments<Notification> = Notification extends {
  readonly params: infer Params;
}
  ? [params: Params]
  : Notification extends { readonly params?: infer Params }
    ? [params?: Params | undefined]
    : never;

export type ResultOf<Request> = Request extends { readonly result: infer Result } ? Result : never;

export type RequestOf<Requests, Name> = Name extends keyof Requests
  ? Requests[Name]
  : Name extends CustomRequest<infer Params, infer Result>
    ? CustomParams<Params> & { readonly result: Result }
    : never;

export type NotificationOf<Notifications, Name> = Name extends keyof Notifications
  ? Notifications[Name]
  : Name extends CustomNotification<infer Params>
    ? CustomParams<Params>
    : never;

/** A custom message's parameters, as an entry in a map of requests or notifications. */
export type CustomParams<Params> = unknown extends Params
  ? { readonly params: Params }
  : undefined extends Params
    ? { readonly params?: Params }
    : { readonly params: Params };

/**
 * A function that sends a request and returns its result. It has two signatures, because TypeScript ignores the type
 * parameters of overloads when it compares them. This makes each revision's context assignable to the context that code
 * for all revisions expects.
 */
export interface SendRequest<Requests> {
  /** Sends a request of your own. */
  <Params, Result>(
    request: CustomRequest<Params, Result>,
    ...rest: RequestArguments<CustomParams<NoInfer<Params>>>
  ): Promise<Result>;
  <Method extends keyof Requests & string>(
    method: Method,
    ...rest: RequestArguments<Requests[Method]>
  ): Promise<ResultOf<Requests[Method]>>;
}

/**
 * A function that sends a notification. The promise stays pending while the peer is reading too slowly. See {@link
 * SendRequest}.
 */
export interface SendNotification<Notifications> {
  /** Sends a notification of your own. */
  <Params>(
    notification: CustomNotification<Params>,
    ...rest: NotificationArguments<CustomParams<NoInfer<Params>>>
  ): Promise<void>;
  <Method extends keyof Notifications & string>(
    method: Method,
    ...rest: NotificationArguments<Notifications[Method]>
  ): Promise<void>;
}
