import {
  OAuthError,
  OAuthErrorCode,
  type OAuthMetadata,
  type OAuthProtectedResourceMetadata,
} from "../../shared/index.js";

/** The metadata of a protected resource, and of the authorization server that issues its tokens. */
export interface AuthMetadataOptions {
  oauthMetadata: OAuthMetadata;
  /** The URL of the MCP endpoint. */
  resourceServerUrl: URL;
  serviceDocumentationUrl?: URL | undefined;
  scopesSupported?: string[] | undefined;
  resourceName?: string | undefined;
  /** True to allow an issuer that does not use https. */
  dangerouslyAllowInsecureIssuerUrl?: boolean | undefined;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const METHODS = "GET, HEAD, OPTIONS";
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Returns the URL of a protected resource's metadata (RFC 9728, section 3.1). */
export function getOAuthProtectedResourceMetadataUrl(serverUrl: URL): string {
  return new URL(metadataPath(serverUrl), serverUrl).href;
}

/**
 * Returns a protected resource's metadata (RFC 9728).
 *
 * @throws Error if the issuer's URL is not https, or has a query or fragment
 */
export function buildOAuthProtectedResourceMetadata(
  options: AuthMetadataOptions,
): OAuthProtectedResourceMetadata {
  const { oauthMetadata, resourceServerUrl, scopesSupported, resourceName } = options;
  checkIssuer(new URL(oauthMetadata.issuer), options.dangerouslyAllowInsecureIssuerUrl === true);
  const documentation = options.serviceDocumentationUrl?.href;
  return {
    resource: resourceServerUrl.href,
    authorization_servers: [oauthMetadata.issuer],
    ...(scopesSupported === undefined ? {} : { scopes_supported: scopesSupported }),
    ...(resourceName === undefined ? {} : { resource_name: resourceName }),
    ...(documentation === undefined ? {} : { resource_documentation: documentation }),
  };
}

/**
 * Returns the response to a request for one of the two documents; undefined for any other request.
 * @throws Error if the issuer's URL is not https, or has a query or fragment
 */
export function oauthMetadataResponse(
  request: Request,
  options: AuthMetadataOptions,
): Response | undefined {
  const path = withoutSlash(new URL(request.url).pathname);
  const document = metadataDocument(path, options);
  return document && documentResponse(request, document);
}

export function metadataDocument(path: string, options: AuthMetadataOptions): object | undefined {
  const resource = buildOAuthProtectedResourceMetadata(options);
  if (path === metadataPath(options.resourceServerUrl)) return resource;
  return path === "/.well-known/oauth-authorization-server" ? options.oauthMetadata : undefined;
}

/** Returns a response with a public document, which pages from any origin can read. */
function documentResponse(request: Request, document: object): Response {
  const { method } = request;
  const everywhere = { "Access-Control-Allow-Origin": "*" };
  if (method === "GET") return Response.json(document, { headers: everywhere });
  if (method === "HEAD") {
    const headers = { ...everywhere, "Content-Type": "application/json" };
    return new Response(null, { headers });
  }
  if (method === "OPTIONS") {
    const requested = request.headers.get("access-control-request-headers");
    const headers = {
      ...everywhere,
      "Access-Control-Allow-Methods": METHODS,
      ...(requested === null
        ? {}
        : { "Access-Control-Allow-Headers": requested, Vary: "Access-Control-Request-Headers" }),
    };
    return new Response(null, { status: 204, headers });
  }
  const error = new OAuthError(
    OAuthErrorCode.MethodNotAllowed,
    `The method ${method} is not allowed for this endpoint`,
  );
  const headers = { ...everywhere, Allow: METHODS };
  return Response.json(error.toResponseObject(), { status: 405, headers });
}

function metadataPath({ pathname }: URL): string {
  const path = withoutSlash(pathname);
  return path === "/" ? WELL_KNOWN : WELL_KNOWN + path;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function checkIssuer(issuer: URL, isInsecureAllowed: boolean): void {
  const isSafe = issuer.protocol === "https:" || LOOPBACK.includes(issuer.hostname);
  if (!isSafe && !isInsecureAllowed) {
    throw new Error(
      "Issuer URL must be HTTPS (option dangerouslyAllowInsecureIssuerUrl switches this off)",
    );
  }
  if (issuer.hash) throw new Error(`Issuer URL must not have a fragment: ${issuer}`);
  if (issuer.search) throw new Error(`Issuer URL must not have a query string: ${issuer}`);
}
