import type { AnySendMiddleware, RequestOptions, Send, Sending, Session } from "../../api/index.js";
import { quiet } from "../../ground/index.js";
import type { Message, Method } from "../../wire/index.js";
import { peerUnreachable } from "../define/errors.js";
import type { RequestContext } from "../receive/request-context.js";
import type { Admitted } from "./admission.js";
import type { SendingHost } from "./own-requests.js";

/** A method that a connection can send, with everything that is fixed after negotiation already looked up. */
export interface Call {
  readonly kind: Method["kind"];
  /**
   * Sends a request and returns its result. An error that prevents sending may be thrown synchronously or delivered as
   * a rejection.
   */
  request(
    params: unknown,
    options: RequestOptions,
    during: RequestContext | undefined,
  ): Promise<unknown>;
  /**
   * Sends a notification. An error that prevents sending may be thrown synchronously or delivered as a rejection.
   *
   * @param once - the name of a broadcast that other instances also send, so that the peer receives it only once
   */
  notify(
    params: unknown,
    during: RequestContext | undefined,
    once: string | undefined,
  ): Promise<unknown> | undefined;
}

export function bindCall(host: SendingHost, admitted: Admitted): Call {
  const { row, stateless, admit, exchange } = admitted;
  const { kind, method } = row;
  const route = (stateless ?? host.binding).route(row);
  const { project, check } = route;
  const { session, hooks } = host;
  const mayBeUnreachable = hooks?.canAsk !== undefined;
  const around = middlewareAround(row, host.definition.sending, session);

  const written = (given: unknown): unknown => {
    let params = project ? project(given) : given;
    if (admit) params = admit(params);
    return check ? check(params) : params;
  };
  const sendRequest: Call["request"] = (given, options, during) => {
    const request = { route, params: written(given), stateless };
    return exchange
      ? exchange(host.sent.pending!, request, options, during)
      : host.sent.request(request, options, during).promise;
  };
  const sendNotification = (
    given: unknown,
    during: RequestContext | undefined,
    once: string | undefined,
  ): Promise<void> | undefined => {
    const params = written(given);
    const message: Message =
      params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params };
    return host.transmit(message, during, stateless, once);
  };
  if (around === undefined) {
    return {
      kind,
      request: mayBeUnreachable
        ? (params, options, during) => {
            if (!host.canAsk(during)) throw peerUnreachable(method);
            return sendRequest(params, options, during);
          }
        : sendRequest,
      notify: sendNotification,
    };
  }
  const requestThrough = sendThrough(around, ({ params, options, context }) =>
    sendRequest(params, options, context as RequestContext | undefined),
  );
  return {
    kind,
    request(params, options, during) {
      if (mayBeUnreachable && !host.canAsk(during)) throw peerUnreachable(method);
      return quiet(requestThrough({ kind, method, params, options, context: during, session }));
    },
    notify(params, during, once) {
      const send = sendThrough(around, async (changed) =>
        sendNotification(changed.params, during, once),
      );
      return send({ kind, method, params, options: {}, context: during, session });
    },
  };
}

export function middlewareAround(
  row: Method,
  sending: readonly AnySendMiddleware[],
  session: Session,
): readonly AnySendMiddleware[] | undefined {
  if (sending.length === 0 || row.role !== undefined) return undefined;
  const around = sending.filter(({ concerns }) => concerns?.(row, session) ?? true);
  return around.length > 0 ? around : undefined;
}

/** Sends a message through middleware. If {@link sendThrough} composed the function, it rejects instead of throwing. */
export type SendThrough = (message: Sending) => Promise<unknown>;

export function sendThrough(
  middleware: readonly AnySendMiddleware[],
  last: SendThrough,
): SendThrough {
  return [...middleware, last].reduceRight<SendThrough>(
    (inner, outer: AnySendMiddleware) => (message) => {
      const send: Send = (changed) => inner(changed ? { ...message, ...changed } : message);
      try {
        return Promise.resolve(outer(message, send));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    last,
  );
}
