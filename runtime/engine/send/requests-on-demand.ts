import { onDemand, quiet } from "../../ground/index.js";
import { strayProgress, strayResponse } from "../define/errors.js";
import type { OwnRequests, SendingHalf } from "./own-requests.js";

const code = /* @__PURE__ */ onDemand(() => import("./sent-requests.js"));

/**
 * The sending half of a server that may never send a request. Its code is loaded when a session opens in which requests
 * can be sent, or otherwise by the first request. Until then, there are no requests that a response could belong to.
 */
export const requestsOnDemand: SendingHalf = (connection) => {
  let end: (() => Error) | undefined;
  const own: OwnRequests = {
    hasTasks: false,
    load() {
      const loading = code(({ SentRequests }) => {
        if (connection.sent !== own) return;
        connection.sent = new SentRequests(connection);
        if (end) connection.sent.close(end);
      });
      return loading ?? undefined;
    },
    request(request, options, during) {
      const send = (): Promise<unknown> => {
        during?.signal.throwIfAborted();
        return connection.sent.request(request, options, during).promise;
      };
      return { promise: quiet(Promise.resolve(own.load()).then(send)) };
    },
    has: () => false,
    response: ({ id, error }) => connection.report(strayResponse(id, error)),
    fail: () => {},
    lost: () => {},
    relatedCall: () => undefined,
    progress: ({ progressToken }) => connection.report(strayProgress(progressToken)),
    cancelDuring: () => {},
    close: (reason) => void (end ??= reason),
  };
  return own;
};
