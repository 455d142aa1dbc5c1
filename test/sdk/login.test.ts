import {
  auth,
  Client,
  ClientCredentialsProvider,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  IssuerMismatchError,
  type OAuthClientInformationContext,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  type OAuthTokens,
  refreshAuthorization,
  registerClient,
  RegistrationRejectedError,
  resourceUrlFromServerUrl,
  startAuthorization,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@mcp-codegen/sdk/client";
import { Client as Client1 } from "@mcp-codegen/sdk/client/index.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Guarded, startGuarded } from "../auth/walk/guarded-server.js";

const REDIRECT = "http://127.0.0.1:3999/callback";

/** A provider written as the SDK documentation for version 2 recommends. */
class MyProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: "My client",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    application_type: "native",
    token_endpoint_auth_method: "none",
  };
  readonly visits: URL[] = [];
  lastState: string | undefined;
  stored: OAuthTokens | undefined;
  readonly #clients = new Map<string, OAuthClientInformationMixed>();
  #verifier: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;

  clientInformation(ctx?: OAuthClientInformationContext) {
    return ctx ? this.#clients.get(ctx.issuer) : undefined;
  }
  saveClientInformation(info: OAuthClientInformationMixed, ctx?: OAuthClientInformationContext) {
    if (ctx) this.#clients.set(ctx.issuer, info);
  }
  tokens() {
    return this.stored;
  }
  saveTokens(tokens: OAuthTokens) {
    this.stored = tokens;
  }
  state() {
    this.lastState = crypto.randomUUID();
    return this.lastState;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state;
  }
  discoveryState() {
    return this.#discovery;
  }
  redirectToAuthorization(url: URL) {
    this.visits.push(url);
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    if (this.#verifier === undefined) throw new Error("no verifier");
    return this.#verifier;
  }
}

const clients = [
  ["version 1", () => new Client1({ name: "app", version: "1.0.0" }, { capabilities: {} })],
  ["version 2 in a session", () => new Client({ name: "app", version: "1.0.0" })],
  [
    "version 2 without sessions",
    () =>
      new Client(
        { name: "app", version: "1.0.0" },
        { versionNegotiation: { mode: { pin: "2026-07-28" } } },
      ),
  ],
] as const;

type AnyClient = Client | Client1;

/** Returns the parameters that the browser brings back from the URL that the user was sent to. */
async function answerOf({ provider }: Guarded, login: MyProvider): Promise<URLSearchParams> {
  return (await provider.visit(login.visits.at(-1)!)).searchParams;
}

async function whoami(client: AnyClient): Promise<string> {
  const result = await client.callTool({ name: "whoami", arguments: {} });
  return (result.content as { text: string }[])[0]!.text;
}

const start = ({ url }: Guarded, authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(url), { authProvider });

describe.each(clients)("a client of %s, with a real authorization server", (_, newClient) => {
  it("sends the user there, finishes with the response, and connects again", async () => {
    const guarded = await startGuarded();
    const login = new MyProvider();
    const transport = start(guarded, login);
    await expect(newClient().connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(login.visits).toHaveLength(1);
    expect(login.visits[0]!.searchParams.get("state")).toBe(login.lastState);
    expect(login.visits[0]!.searchParams.get("resource")).toBe(guarded.url);
    const params = await answerOf(guarded, login);
    expect(params.get("state")).toBe(login.lastState);
    await transport.finishAuth(params);

    const client = newClient();
    onTestFinished(() => client.close());
    await client.connect(start(guarded, login));
    expect(await whoami(client)).toMatch(`${guarded.provider.issuer}|ada read`);
    expect(login.visits).toHaveLength(1);

    // The provider keeps the tokens, so another process finds them.
    const later = newClient();
    onTestFinished(() => later.close());
    await later.connect(start(guarded, login));
    expect(await whoami(later)).toMatch("ada");
    expect(login.visits).toHaveLength(1);
  });

  it("accepts a code alone, as in version 1", async () => {
    const guarded = await startGuarded();
    const login = new MyProvider();
    const transport = start(guarded, login);
    await expect(newClient().connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
    const params = await answerOf(guarded, login);
    await transport.finishAuth(params.get("code")!, params.get("iss") ?? undefined);
    const client = newClient();
    onTestFinished(() => client.close());
    await client.connect(start(guarded, login));
    expect(await whoami(client)).toMatch("ada");
  });

  it("rejects a response of another issuer, and does not quote it", async () => {
    const guarded = await startGuarded();
    const login = new MyProvider();
    const transport = start(guarded, login);
    await expect(newClient().connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
    const params = await answerOf(guarded, login);
    params.set("iss", "https://attacker.example");
    params.set("error_description", "call 555-0100");
    const error: unknown = await transport.finishAuth(params).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(IssuerMismatchError);
    expect(error).toMatchObject({
      kind: "authorization_response",
      expected: guarded.provider.issuer,
      received: "https://attacker.example",
    });
    expect(String(error)).not.toContain("555");
  });

  it.each([null, "other"])("rejects a response with the state %s", async (state) => {
    const guarded = await startGuarded();
    const login = new MyProvider();
    const transport = start(guarded, login);
    await expect(newClient().connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
    const params = await answerOf(guarded, login);
    if (state === null) params.delete("state");
    else params.set("state", state);
    await expect(transport.finishAuth(params)).rejects.toThrow("belongs to no request");
    expect(login.stored).toBeUndefined();
  });

  it("refreshes expired tokens", async () => {
    const guarded = await startGuarded({ provider: { expiresIn: 11 } });
    const login = new MyProvider();
    const transport = start(guarded, login);
    await expect(newClient().connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
    await transport.finishAuth(await answerOf(guarded, login));
    const { access_token: first } = login.stored!;
    login.stored = { ...login.stored!, access_token: "expired" };
    const client = newClient();
    onTestFinished(() => client.close());
    await client.connect(start(guarded, login));
    expect(await whoami(client)).toMatch("ada");
    expect([first, "expired"]).not.toContain(login.stored.access_token);
    expect(guarded.provider.log).toContain("refresh_token");
    expect(login.visits).toHaveLength(1);
  });

  it("needs no user with ClientCredentialsProvider", async () => {
    const registered = {
      client_id: "job",
      client_secret: "of-the-job",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: "client_secret_basic",
    };
    const guarded = await startGuarded({ provider: { clients: [registered] } });
    const given = { clientId: "job", clientSecret: "of-the-job", scope: "read" };
    const client = newClient();
    onTestFinished(() => client.close());
    await client.connect(start(guarded, new ClientCredentialsProvider(given)));
    expect(await whoami(client)).toMatch(/job.* read/);
    const wrong = new ClientCredentialsProvider({ ...given, clientSecret: "another" });
    const refused: unknown = await newClient()
      .connect(start(guarded, wrong))
      .catch((one: unknown) => one);
    expect(refused).toBeInstanceOf(OAuthError);
    expect(refused).toMatchObject({ code: "invalid_client" });
    expect(String(refused)).not.toContain("another");
  });
});

describe("a provider with stored tokens", () => {
  const stored = { access_token: "stored", token_type: "Bearer" };

  it("sends them with the first request", async () => {
    const seen: (string | null)[] = [];
    const login = new MyProvider();
    login.stored = stored;
    const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1:3999/mcp"), {
      authProvider: login,
      fetch: async (_url, init) => {
        seen.push(new Headers(init?.headers).get("authorization"));
        return new Response(null, { status: 404 });
      },
    });
    await expect(
      new Client1({ name: "app", version: "1.0.0" }).connect(transport),
    ).rejects.toThrow();
    expect(new Set(seen)).toEqual(new Set(["Bearer stored"]));
  });

  it("logs in again if the server refuses them", async () => {
    const guarded = await startGuarded();
    const login = new MyProvider();
    login.stored = stored;
    const connecting = new Client1({ name: "app", version: "1.0.0" }).connect(
      start(guarded, login),
    );
    await expect(connecting).rejects.toBeInstanceOf(UnauthorizedError);
    expect(login.visits).toHaveLength(1);
  });
});

describe("auth", () => {
  it("performs all requests with the given fetch", async () => {
    const guarded = await startGuarded();
    const login = new MyProvider();
    const urls: string[] = [];
    const fetchFn = (url: string | URL, init?: RequestInit): Promise<Response> => {
      urls.push(String(url));
      return originalFetch(url, init);
    };
    const { fetch: originalFetch } = globalThis;
    const direct = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => direct.mockRestore());
    expect(await auth(login, { serverUrl: guarded.url, fetchFn })).toBe("REDIRECT");
    expect(urls.some((url) => url.startsWith(guarded.provider.issuer))).toBe(true);
    const ofClient = direct.mock.calls.map(([url]) => String(url));
    expect(ofClient.filter((url) => url === guarded.url)).toEqual([]);
  });
});

describe("steps of a login, one by one", () => {
  it("lead to tokens that the server accepts", async () => {
    const { url, provider } = await startGuarded();
    const {
      authorizationServerUrl: issuer,
      authorizationServerMetadata: metadata,
      resourceMetadata,
    } = await discoverOAuthServerInfo(url);
    expect(issuer).toBe(provider.issuer);
    expect(resourceMetadata?.resource).toBe(url);
    const { clientMetadata } = new MyProvider();
    const clientInformation = await registerClient(issuer, { metadata, clientMetadata });
    const resource = resourceUrlFromServerUrl(url);
    const own = { metadata, clientInformation, resource };
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
      ...own,
      redirectUrl: REDIRECT,
      scope: "read",
      state: "own-state",
    });
    const { searchParams } = await provider.visit(authorizationUrl);
    expect(searchParams.get("state")).toBe("own-state");
    const answer = {
      ...own,
      authorizationCode: searchParams.get("code")!,
      codeVerifier,
      redirectUri: REDIRECT,
    };
    await expect(
      exchangeAuthorization(issuer, { ...answer, iss: "https://attacker.example" }),
    ).rejects.toBeInstanceOf(IssuerMismatchError);
    const tokens = await exchangeAuthorization(issuer, {
      ...answer,
      iss: searchParams.get("iss") ?? undefined,
    });
    const client = new Client({ name: "steps", version: "1.0.0" });
    onTestFinished(() => client.close());
    const authProvider = { token: async () => tokens.access_token };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
    expect(await whoami(client)).toMatch("ada");
    const renewed = await refreshAuthorization(issuer, {
      ...own,
      refreshToken: tokens.refresh_token!,
    });
    expect(renewed.access_token).not.toBe(tokens.access_token);
    const again = { ...answer, iss: searchParams.get("iss") ?? undefined };
    const twice: unknown = await exchangeAuthorization(issuer, again).catch((one: unknown) => one);
    expect(twice).toBeInstanceOf(OAuthError);
    expect(twice).toMatchObject({ code: "invalid_grant" });
    const unfit = { ...clientMetadata, redirect_uris: ["no-url"] };
    await expect(
      registerClient(issuer, { metadata, clientMetadata: unfit }),
    ).rejects.toBeInstanceOf(RegistrationRejectedError);
  });
});
