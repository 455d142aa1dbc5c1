import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider, type TokenContext } from "oidc-provider";
import { Browser } from "./browser.js";

export interface ProviderSettings {
  /** An access token's lifetime, in seconds. */
  readonly expiresIn?: number;
  readonly clients?: readonly Record<string, unknown>[];
  /** The resource's scopes. Default: `read` and `write`. */
  readonly scopes?: readonly string[];
  /** The resource for which the provider issues tokens. */
  readonly resource: () => string;
  /** Other resources for which the provider may issue tokens. */
  readonly otherResources?: readonly string[];
  /** Client documents by URL, which is also the client's id. If there are any, the provider reads them. */
  readonly clientDocuments?: Readonly<Record<string, object>>;
  /** A hook that is awaited before a request to the token endpoint is processed. */
  readonly beforeToken?: () => Promise<void>;
}

/** A real authorization server on a socket whose user agrees to everything. */
export interface RealServer {
  readonly issuer: string;
  /** Events at the token endpoint: `refresh_token`, `refresh_token: invalid_grant`, `revoked`. */
  readonly log: string[];
  /** Follows redirects up to the redirect URI, like a browser with cookies. */
  visit(url: URL): Promise<URL>;
  close(): Promise<void>;
}

export async function startProvider({
  expiresIn = 600,
  clients = [],
  scopes = ["read", "write"],
  resource,
  otherResources = [],
  clientDocuments,
  beforeToken,
}: ProviderSettings): Promise<RealServer> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients,
    scopes: ["openid", "offline_access", ...scopes],
    clientBasedCORS: () => true,
    conformIdTokenClaims: false,
    rotateRefreshToken: true,
    issueRefreshToken: async (
      _context: unknown,
      client: { grantTypeAllowed(type: string): boolean },
    ) => client.grantTypeAllowed("refresh_token"),
    ttl: {
      AccessToken: expiresIn,
      Grant: 3600,
      Session: 3600,
      Interaction: 600,
      RefreshToken: 3600,
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      deviceFlow: { enabled: true },
      dPoP: { enabled: true, allowReplay: false },
      clientCredentials: { enabled: true },
      clientIdMetadataDocument: {
        enabled: clientDocuments !== undefined,
        ack: "draft-02",
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource(),
        getResourceServerInfo: (_context: unknown, indicator: string) => ({
          scope: scopes.join(" "),
          audience: otherResources.includes(indicator) ? indicator : resource(),
          accessTokenFormat: "jwt",
          accessTokenTTL: expiresIn,
          jwt: { sign: { alg: "RS256" } },
        }),
        useGrantedResource: () => true,
      },
    },
    fetch: async (url: URL | string, init: RequestInit) => {
      const document = clientDocuments?.[String(url)];
      return document ? Response.json(document) : fetch(url, init);
    },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/agree/${uid}` },
  });
  const callback = provider.callback();
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/agree/"))
      return void agree(provider, request, response, resource());
    const isToken = request.url === "/token" && beforeToken !== undefined;
    void (isToken ? beforeToken() : Promise.resolve()).then(() => callback(request, response));
  });
  const log: string[] = [];
  provider.on("grant.success", (context) => void log.push(grantType(context)));
  provider.on("grant.error", (context, error) => {
    log.push(`${grantType(context)}: ${error?.message}`);
  });
  provider.on("grant.revoked", () => void log.push("revoked"));
  return {
    issuer,
    log,
    visit: async (url) => (await new Browser().open(url)).url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function grantType({ oidc }: TokenContext): string {
  return String(oidc.params["grant_type"]);
}

/** Logs in ada, or the user named in the client's hint, and grants every requested scope. */
async function agree(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  resource: string,
): Promise<void> {
  const { params, session, grantId } = await provider.interactionDetails(request, response);
  const accountId = session?.accountId ?? String(params["login_hint"] ?? "ada");
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  const scope = typeof params["scope"] === "string" ? params["scope"] : "";
  grant.addOIDCScope(scope);
  grant.addResourceScope(resource, scope);
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
}
