import type { Log } from "../../features/index.js";
import type { RequestId } from "../../wire/index.js";
import type { RequestOptions } from "../../api/index.js";
import type { AskingContext } from "./context-types.js";
import type { AnyTypes, NeutralTypes, Params, Result } from "./neutral-types.js";

/** A request and what can be done about it, by the names of the official SDK. */
export interface RequestView<Types extends NeutralTypes> {
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly _meta: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  readonly inputResponses: Readonly<Record<string, unknown>>;
  readonly requestState: <State = unknown>() => State | undefined;
  readonly log: (...message: Parameters<Log>) => Promise<void>;
  readonly elicitInput: (
    params: Params<Types["serverRequests"], "elicitation/create">,
    options?: RequestOptions,
  ) => Promise<Result<Types["serverRequests"], "elicitation/create">>;
  readonly requestSampling: (
    params: Params<Types["serverRequests"], "sampling/createMessage">,
    options?: RequestOptions,
  ) => Promise<Result<Types["serverRequests"], "sampling/createMessage">>;
  readonly send: (
    request: { readonly method: string; readonly params?: object },
    options?: RequestOptions,
  ) => Promise<unknown>;
  readonly notify: (notification: {
    readonly method: string;
    readonly params?: object;
  }) => Promise<void>;
}

/** A context by those names. What is sent goes out as from the context itself. */
export function requestView(context: AskingContext<AnyTypes>): RequestView<AnyTypes> {
  const send: Send = context.request as never;
  const notify: Tell = context.notify as never;
  return {
    id: context.id,
    method: context.method,
    _meta: context.meta,
    signal: context.signal,
    inputResponses: context.answers,
    requestState: <State>() => context.state as State | undefined,
    log: async (...message) => context.log(...message),
    elicitInput: (params: { mode?: string }, options) =>
      params.mode === "url"
        ? context.elicitUrl(params as never, options)
        : context.elicit(params as never, options),
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
type Tell = (method: string, params?: object) => Promise<void>;
