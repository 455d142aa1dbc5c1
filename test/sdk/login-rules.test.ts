import {
  type AddClientAuthentication,
  auth,
  AuthorizationServerMismatchError,
  Client,
  ClientCredentialsProvider,
  computeScopeUnion,
  CrossAppAccessProvider,
  InsufficientScopeError,
  isStrictScopeSuperset,
  IssuerMismatchError,
  type OAuthClientProvider,
  type OAuthTokens,
  PrivateKeyJwtProvider,
  SdkError,
  SSEClientTransport,
  StaticPrivateKeyJwtProvider,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  UnauthorizedError,
  withOAuth,
} from "@mcp-codegen/sdk/client";
import { jwtVerify } from "jose";
import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";

const SERVER = new URL("https://mcp.test/mcp");
const ISSUER = "https://login.test";
const METADATA = `resource_metadata="https://mcp.test/.well-known/oauth-protected-resource"`;

/** A provider that keeps everything in memory and records what it was told to discard. */
class Stored implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:3999/callback";
  readonly clientMetadata = { redirect_uris: [this.redirectUrl], client_name: "app" };
  readonly visits: URL[] = [];
  readonly discarded: string[] = [];
  verifier: string | undefined;
  client: { client_id: string } | undefined = { client_id: "app" };
  stored: OAuthTokens | undefined;

  constructor(tokens?: Partial<OAuthTokens>) {
    if (tokens) this.stored = { access_token: "old", token_type: "Bearer", ...tokens };
  }
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client: { client_id: string }) {
    this.client = client;
  }
  tokens() {
    return this.stored;
  }
  saveTokens(tokens: OAuthTokens) {
    this.stored = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.visits.push(url);
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier!;
  }
  addClientAuthentication?: AddClientAuthentication;
  invalidateCredentials(scope: string) {
    this.discarded.push(scope);
    if (scope === "tokens") this.stored = undefined;
    if (scope === "client") this.client = undefined;
  }
}

/** Creates an authorization server and an MCP server, which record the requests that they receive. */
function network(answers: {
  /** Returns the MCP server's response. */
  readonly server?: (token: string | null) => Response;
  /** The token endpoint's response bodies, one after another; a body with `error` is a refusal. */
  readonly tokens?: object[];
  /** The issuer in the authorization server's metadata. */
  readonly issuer?: string;
}) {
  const grants: URLSearchParams[] = [];
  const sent: (string | null)[] = [];
  const registered: object[] = [];
  const left = [...(answers.tokens ?? [])];
  const documents: Record<string, object> = {
    "https://mcp.test/.well-known/oauth-protected-resource": {
      resource: SERVER.href,
      authorization_servers: [ISSUER],
    },
    [`${ISSUER}/.well-known/oauth-authorization-server`]: {
      issuer: answers.issuer ?? ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      registration_endpoint: `${ISSUER}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    },
  };
  const fetchFn = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = String(input);
    if (url in documents) return Response.json(documents[url]);
    if (url === `${ISSUER}/token`) {
      grants.push(new URLSearchParams(String(init.body)));
      const body = left.shift() ?? { access_token: "new", token_type: "Bearer" };
      return Response.json(body, { status: "error" in body ? 400 : 200 });
    }
    if (url === `${ISSUER}/register`) {
      const body = JSON.parse(String(init.body)) as object;
      registered.push(body);
      return Response.json({ ...body, client_id: "registered" }, { status: 201 });
    }
    if (url !== SERVER.href) return new Response(null, { status: 404 });
    const token = new Headers(init.headers).get("authorization");
    sent.push(token);
    return answers.server?.(token) ?? refusal(401);
  };
  return { fetchFn, grants, sent, registered };
}

function refusal(status: 401 | 403, more = ""): Response {
  const headers = { "WWW-Authenticate": `Bearer ${METADATA}${more}` };
  return new Response(null, { status, headers });
}

const lacking = (scope: string): Response =>
  refusal(403, `, error="insufficient_scope", scope="${scope}", error_description="Ask more"`);

async function failureOf(
  authProvider: OAuthClientProvider | undefined,
  fetch: StreamableHTTPClientTransportOptions["fetch"],
  options: StreamableHTTPClientTransportOptions = {},
): Promise<unknown> {
  const client = new Client({ name: "app", version: "1.0.0" });
  onTestFinished(() => client.close());
  const transport = new StreamableHTTPClientTransport(SERVER, { authProvider, fetch, ...options });
  return client.connect(transport).catch((error: unknown) => error);
}

describe("the user is redirected", () => {
  it("with the challenge of the stored verifier, which the code is exchanged with", async () => {
    const { fetchFn, grants } = network({});
    const provider = new Stored();
    expect(await auth(provider, { serverUrl: SERVER, fetchFn })).toBe("REDIRECT");
    expect(provider.verifier).toMatch(/^[\w.~-]{43,128}$/);
    const challenge = createHash("sha256").update(provider.verifier!).digest("base64url");
    expect(provider.visits[0]!.searchParams.get("code_challenge")).toBe(challenge);
    const back = { serverUrl: SERVER, fetchFn, authorizationCode: "code", iss: ISSUER };
    expect(await auth(provider, back)).toBe("AUTHORIZED");
    expect(grants[0]!.get("code_verifier")).toBe(provider.verifier);
    expect(provider.stored).toMatchObject({ access_token: "new", issuer: ISSUER });
  });

  it("without repeating the request, and without a refresh that is not possible", async () => {
    const { fetchFn, sent, grants } = network({});
    const provider = new Stored({});
    expect(await failureOf(provider, fetchFn)).toBeInstanceOf(UnauthorizedError);
    expect(sent).toEqual(["Bearer old"]);
    expect(grants).toEqual([]);
    expect(provider.visits).toHaveLength(1);
  });

  it("also over HTTP+SSE", async () => {
    const { fetchFn } = network({});
    const authProvider = new Stored();
    const transport = new SSEClientTransport(SERVER, { authProvider, fetch: fetchFn });
    await expect(transport.start()).rejects.toBeInstanceOf(UnauthorizedError);
    const answer = new URLSearchParams({ code: "code", iss: ISSUER });
    await transport.finishAuth(answer);
    expect(authProvider.stored).toMatchObject({ access_token: "new" });
  });

  it("and nothing in the answer of another issuer is used", async () => {
    const { fetchFn, grants } = network({});
    const authProvider = new Stored();
    const transport = new StreamableHTTPClientTransport(SERVER, { authProvider, fetch: fetchFn });
    await auth(authProvider, { serverUrl: SERVER, fetchFn });
    const iss = "https://attacker.test";
    const answer = new URLSearchParams({ code: "c", iss, error_description: "call 555" });
    const failure: unknown = await transport.finishAuth(answer).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(IssuerMismatchError);
    expect(String(failure)).not.toContain("555");
    expect(grants).toEqual([]);
  });
});

describe("a token that the server refuses", () => {
  it("is refreshed once, however often the server refuses", async () => {
    const { fetchFn, sent, grants } = network({});
    const provider = new Stored({ refresh_token: "r" });
    const failure = await failureOf(provider, fetchFn);
    expect(failure).toBeInstanceOf(SdkError);
    expect(String(failure)).toContain("Server returned 401 after re-authentication");
    expect(sent).toEqual(["Bearer old", "Bearer new"]);
    expect(grants.map((grant) => grant.get("grant_type"))).toEqual(["refresh_token"]);
    expect(provider.visits).toEqual([]);
  });

  it("is refreshed once by withOAuth, too", async () => {
    const { fetchFn, grants } = network({});
    const provider = new Stored({ refresh_token: "r" });
    const send = withOAuth(provider, SERVER)(fetchFn);
    const sending = send(SERVER, { method: "POST" });
    await expect(sending).rejects.toThrow("Authentication failed for https://mcp.test/mcp");
    expect(grants).toHaveLength(1);
  });

  it("is discarded with a refresh token that is no longer valid", async () => {
    const { fetchFn } = network({ tokens: [{ error: "invalid_grant" }] });
    const provider = new Stored({ refresh_token: "r" });
    expect(await failureOf(provider, fetchFn)).toBeInstanceOf(UnauthorizedError);
    expect(provider.discarded).toEqual(["tokens"]);
    expect(provider.client).toEqual({ client_id: "app" });
  });

  it("is discarded with a client that is no longer known, which registers again", async () => {
    const { fetchFn, registered } = network({ tokens: [{ error: "invalid_client" }] });
    const provider = new Stored({ refresh_token: "r" });
    expect(await failureOf(provider, fetchFn)).toBeInstanceOf(UnauthorizedError);
    expect(provider.discarded).toEqual(["client", "tokens"]);
    expect(registered).toMatchObject([{ application_type: "native" }]);
    expect(provider.client).toMatchObject({ client_id: "registered", issuer: ISSUER });
  });
});

describe("a client without a user", () => {
  const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  const clientId = "job";

  it("sends an assertion that was signed elsewhere as it is", async () => {
    const { fetchFn, grants, registered } = network({});
    const provider = new StaticPrivateKeyJwtProvider({ clientId, jwtBearerAssertion: "a.b.c" });
    expect(await auth(provider, { serverUrl: SERVER, fetchFn, scope: "read" })).toBe("AUTHORIZED");
    expect(Object.fromEntries(grants[0]!)).toEqual({
      grant_type: "client_credentials",
      client_id: clientId,
      client_assertion: "a.b.c",
      client_assertion_type: JWT_BEARER,
      resource: SERVER.href,
      scope: "read",
    });
    expect(registered).toEqual([]);
    expect(provider.tokens()).toMatchObject({ access_token: "new", issuer: ISSUER });
  });

  it("signs an assertion with its key, and with the claims of the program", async () => {
    const { fetchFn, grants } = network({});
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = privateKey.export({ format: "jwk" }) as Record<string, unknown>;
    const pem = privateKey.export({ format: "pem", type: "pkcs8" }) as string;
    for (const key of [jwk, pem, new TextEncoder().encode(pem)]) {
      const options = { clientId, privateKey: key, algorithm: "ES256", claims: { team: "maps" } };
      const provider = new PrivateKeyJwtProvider({ ...options, jwtLifetimeSeconds: 60 });
      await auth(provider, { serverUrl: SERVER, fetchFn });
      const assertion = grants.at(-1)!.get("client_assertion")!;
      const { payload } = await jwtVerify(assertion, publicKey, { audience: ISSUER });
      expect(payload).toMatchObject({ iss: clientId, sub: clientId, team: "maps" });
      expect(payload.exp! - payload.iat!).toBe(60);
    }
    const unreadable = { clientId, privateKey: "secret", algorithm: "ES256" };
    const failing = auth(new PrivateKeyJwtProvider(unreadable), { serverUrl: SERVER, fetchFn });
    const failure: unknown = await failing.catch((error: unknown) => error);
    expect(String(failure)).toContain("cannot be read");
    expect(String(failure)).not.toContain("secret");
  });

  it("sends the assertion of an identity provider, which learns for whom it is", async () => {
    const { fetchFn, grants } = network({});
    const asked: object[] = [];
    const assertion = (context: object) => {
      asked.push(context);
      return "identity";
    };
    const provider = new CrossAppAccessProvider({
      clientId,
      clientSecret: "s",
      assertion,
      fetchFn,
    });
    await auth(provider, { serverUrl: SERVER, fetchFn });
    const places = { authorizationServerUrl: ISSUER, resourceUrl: SERVER.href };
    expect(asked).toMatchObject([places]);
    expect(grants[0]!.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    expect(grants[0]!.get("assertion")).toBe("identity");
  });

  it("sends its credentials to the expected issuer only", async () => {
    const { fetchFn, grants } = network({});
    const given = { clientId, clientSecret: "s", expectedIssuer: "https://other.test" };
    const failing = auth(new ClientCredentialsProvider(given), { serverUrl: SERVER, fetchFn });
    await expect(failing).rejects.toBeInstanceOf(AuthorizationServerMismatchError);
    expect(grants).toEqual([]);
  });
});

describe("a program", () => {
  it("authenticates the client as it likes", async () => {
    const { fetchFn, grants } = network({});
    const provider = new Stored({ refresh_token: "r" });
    provider.addClientAuthentication = (headers, params, url, metadata) => {
      headers.set("x-team", "maps");
      params.set("signed", `${String(url)} ${metadata?.issuer}`);
    };
    await auth(provider, { serverUrl: SERVER, fetchFn });
    expect(grants[0]!.get("signed")).toBe(`${ISSUER}/token ${ISSUER}`);
    expect(grants[0]!.has("client_id")).toBe(false);
  });

  it("may trust an authorization server that names another issuer, whose answers are compared", async () => {
    const issuer = "https://renamed.test";
    const { fetchFn, grants } = network({ issuer });
    const request = { serverUrl: SERVER, fetchFn };
    await expect(auth(new Stored(), request)).rejects.toBeInstanceOf(IssuerMismatchError);
    const trusting = { ...request, skipIssuerMetadataValidation: true };
    const provider = new Stored();
    expect(await auth(provider, trusting)).toBe("REDIRECT");
    const attack = { ...trusting, authorizationCode: "c", iss: "https://attacker.test" };
    await expect(auth(provider, attack)).rejects.toBeInstanceOf(IssuerMismatchError);
    expect(grants).toEqual([]);
    const authorized = await auth(provider, { ...trusting, authorizationCode: "c", iss: issuer });
    expect(authorized).toBe("AUTHORIZED");
  });
});

describe("a lack of scopes", () => {
  it("is reported at once if the program wants so", async () => {
    const { fetchFn, grants } = network({ server: () => lacking("write") });
    const provider = new Stored({});
    const failure = await failureOf(provider, fetchFn, { onInsufficientScope: "throw" });
    expect(failure).toBeInstanceOf(InsufficientScopeError);
    expect(failure).toMatchObject({ requiredScope: "write", errorDescription: "Ask more" });
    expect([grants, provider.visits]).toEqual([[], []]);
    const alone = await failureOf(undefined, fetchFn, { onInsufficientScope: "throw" });
    expect(alone).toMatchObject({ name: "InsufficientScopeError", requiredScope: "write" });
  });

  it("leads to the user, with the scopes of before, instead of a refresh", async () => {
    const { fetchFn, grants } = network({ server: () => lacking("write") });
    const provider = new Stored({ refresh_token: "r", scope: "read" });
    expect(await failureOf(provider, fetchFn)).toBeInstanceOf(UnauthorizedError);
    expect(provider.visits[0]!.searchParams.get("scope")).toBe("read write");
    expect(grants).toEqual([]);
  });

  it("leads to one refresh only if the token has the scopes already", async () => {
    const scope = "read write";
    const tokens = [{ access_token: "new", token_type: "Bearer", scope }];
    const { fetchFn, grants, sent } = network({ server: () => lacking("write"), tokens });
    const failure = await failureOf(new Stored({ refresh_token: "r", scope }), fetchFn);
    expect(failure).toBeInstanceOf(SdkError);
    expect(String(failure)).toContain("403 insufficient_scope after step-up re-authorization");
    expect(String(failure)).toContain("retry limit 1 reached");
    expect(grants).toHaveLength(1);
    expect(sent).toHaveLength(2);
  });

  it("is computed by the names of scopes", () => {
    expect(computeScopeUnion("a b", "b c")).toBe("a b c");
    expect(computeScopeUnion(undefined, undefined)).toBeUndefined();
    expect(isStrictScopeSuperset("a b", "a")).toBe(true);
    expect(isStrictScopeSuperset("a b", "b a")).toBe(false);
    expect(isStrictScopeSuperset("a b", "c")).toBe(false);
  });
});
