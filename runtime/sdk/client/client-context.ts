import type { HandlerContext } from "@mcp-codegen/runtime";
import {
  authInfoOf,
  type ClientContext,
  type RequestHandlerExtra,
  type RequestMeta,
} from "../shared/index.js";
import { askThrough, tellThrough } from "../shared/internal/index.js";

/** Context of a client's handlers, by the names of both versions of the official SDK. */
export type ClientHandlerContext = ClientContext & RequestHandlerExtra;

/** Context for a callback. */
export function contextOf(native: HandlerContext): ClientHandlerContext {
  const { id, method, signal, auth, session } = native;
  const meta = native.meta as RequestMeta | undefined;
  const send = askThrough(native);
  const notify = tellThrough(native);
  return {
    sessionId: session.id,
    mcpReq: {
      id: id!,
      method,
      _meta: meta,
      requestState: () => undefined,
      signal,
      send,
      notify,
    },
    signal,
    requestId: id!,
    _meta: meta,
    authInfo: authInfoOf(auth),
    sendRequest: send as RequestHandlerExtra["sendRequest"],
    sendNotification: notify,
  };
}
