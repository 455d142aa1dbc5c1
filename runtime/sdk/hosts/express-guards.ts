import { type GuardKit, guardKit, guardsOf, type McpAppOptions, sendJson } from "./node-guards.js";
import type { IncomingMessage, ServerResponse } from "node:http";
import { refusalOf } from "../server/hosting/index.js";
import {
  type AuthMetadataOptions,
  type BearerAuthOptions,
  buildOAuthProtectedResourceMetadata,
  oauthMetadataResponse,
  verifyBearerToken,
} from "../server/index.js";
import type { AuthInfo } from "../shared/index.js";
import { answer, toWebRequest } from "./web-bridge.js";

import express, { type Express, type RequestHandler } from "express";

/** Options of `createMcpExpressApp`. */
export interface CreateMcpExpressAppOptions extends McpAppOptions {
  /** The maximum size of a JSON body, such as `4mb`. Default: Express's own limit. */
  jsonLimit?: string | undefined;
}

/** Creates an Express app that parses JSON and checks hosts and origins. */
export function createMcpExpressApp(options: CreateMcpExpressAppOptions = {}): Express {
  const { jsonLimit } = options;
  const app = express();
  app.use(express.json(jsonLimit === undefined ? {} : { limit: jsonLimit }));
  for (const guard of guardsOf(options, guards)) app.use(guard as RequestHandler);
  return app;
}

/** Middleware of Express, Connect and Polka. */
export type ExpressMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

const guards: GuardKit<ExpressMiddleware> = /* @__PURE__ */ guardKit(
  (check) => (request, response, next) => {
    const refusal = check((name) => request.headers[name]);
    if (refusal === undefined) return next();
    sendJson(response, 403, refusal);
  },
);

/** Returns middleware that accepts only requests for the listed host names, with any port. */
export const hostHeaderValidation: GuardKit<ExpressMiddleware>["hostHeaderValidation"] =
  guards.hostHeaderValidation;
/** Returns middleware that accepts only requests whose `Host` is a localhost name or address, with any port. */
export const localhostHostValidation: GuardKit<ExpressMiddleware>["localhostHostValidation"] =
  guards.localhostHostValidation;
/**
 * Returns middleware that accepts requests from pages on the listed hosts, and requests that do not come from a
 * page.
 */
export const originValidation: GuardKit<ExpressMiddleware>["originValidation"] =
  guards.originValidation;
/** Returns middleware that accepts requests from pages on this machine, and requests that do not come from a page. */
export const localhostOriginValidation: GuardKit<ExpressMiddleware>["localhostOriginValidation"] =
  guards.localhostOriginValidation;

export {
  type AuthMetadataOptions,
  getOAuthProtectedResourceMetadataUrl,
  type OAuthTokenVerifier,
} from "../server/index.js";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Express declares its extension point as a namespace
  namespace Express {
    interface Request {
      /** The authenticated sender, which `requireBearerAuth` sets. */
      auth?: AuthInfo | undefined;
    }
  }
}

/** The requirements for access tokens in requests. */
export type BearerAuthMiddlewareOptions = BearerAuthOptions;

/**
 * Returns middleware that accepts requests with a valid access token, and passes the sender to handlers
 * (`req.auth`).
 */
export function requireBearerAuth(options: BearerAuthMiddlewareOptions): ExpressMiddleware {
  if (typeof options.verifier?.verifyAccessToken !== "function") {
    throw new TypeError("requireBearerAuth needs a verifier with verifyAccessToken");
  }
  return (request, response, next) => {
    verifyBearerToken(request.headers.authorization, options).then(
      (auth) => {
        Object.assign(request, { auth });
        next();
      },
      (error: unknown) => {
        const { status, body, headers } = refusalOf(error, options);
        sendJson(response, status, body, headers);
      },
    );
  };
}

/**
 * Returns middleware that serves the metadata of the protected resource and its authorization server.
 *
 * @throws Error if the issuer's URL is not https, or has a query or fragment
 */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): ExpressMiddleware {
  buildOAuthProtectedResourceMetadata(options);
  return (request, response, next) => {
    const served = oauthMetadataResponse(webRequest(request), options);
    if (served) void answer(response, served);
    else next();
  };
}

/** Creates a `Request` without a body. It has the original URL, because Express shortens `url` at a mount point. */
function webRequest(request: IncomingMessage & { originalUrl?: string }): Request {
  const { originalUrl, method, headers } = request;
  if (originalUrl === undefined) return toWebRequest(request, {});
  const url = new URL(originalUrl, `http://${headers.host ?? "localhost"}`);
  const requested = headers["access-control-request-headers"];
  return new Request(url, {
    method: method ?? "GET",
    headers: requested === undefined ? {} : { "access-control-request-headers": requested },
  });
}
