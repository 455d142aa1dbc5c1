import { type AuthInfo, authOf } from "../shared/index.js";
import { SessionTransport, type SessionTransportOptions } from "./session-transport.js";

/** Options of a transport for one session, or for requests without sessions. */
export type WebStandardStreamableHTTPServerTransportOptions = SessionTransportOptions;

/** Facts about a request from its host. */
export interface HandleRequestOptions {
  /** Body, when it was parsed before. */
  parsedBody?: unknown;
  authInfo?: AuthInfo | undefined;
}

/** {@link SessionTransport} for hosts whose requests have the web's form. */
export class WebStandardStreamableHTTPServerTransport extends SessionTransport {
  /**
   * Answers a request.
   * @throws SdkError when no server is connected
   */
  async handleRequest(request: Request, options: HandleRequestOptions = {}): Promise<Response> {
    const { authInfo, parsedBody } = options;
    return this.connected()(request, {
      ...(authInfo ? { auth: authOf(authInfo) } : {}),
      ...(parsedBody === undefined ? {} : { body: parsedBody }),
    });
  }
}
