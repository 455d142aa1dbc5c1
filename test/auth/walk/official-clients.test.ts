import {
  Client as ClientV2,
  DpopSession,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Guarded, MOUNTS, startGuarded } from "./guarded-server.js";

const REDIRECT = "https://official.example/callback";
const DOCUMENT = "https://official.example/client.json";

/**
 * The metadata of a client without refresh tokens. The 1.x client would use a refresh token to request more scopes,
 * which fails.
 */
const METADATA = {
  client_name: "Official",
  redirect_uris: [REDIRECT],
  grant_types: ["authorization_code"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

const clientDocuments = { [DOCUMENT]: { client_id: DOCUMENT, ...METADATA } };

/** Stores everything in memory and follows the redirect like a browser whose user accepts. */
class Login implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = METADATA;
  readonly clientMetadataUrl?: string;
  readonly visited: URL[] = [];
  back: URL | undefined;
  readonly #guarded: Guarded;
  #client: never | undefined;
  #tokens: never | undefined;
  #verifier = "";

  constructor(guarded: Guarded, document?: string) {
    this.#guarded = guarded;
    if (document !== undefined) this.clientMetadataUrl = document;
  }

  clientInformation(): never | undefined {
    return this.#client;
  }
  saveClientInformation(client: unknown): void {
    this.#client = client as never;
  }
  tokens(): never | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: unknown): void {
    this.#tokens = tokens as never;
  }
  async redirectToAuthorization(url: URL): Promise<void> {
    this.visited.push(url);
    this.back = await this.#guarded.provider.visit(url);
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

/**
 * A client of the official SDK that logs in as the SDK's documentation says: it tries, finishes the login, and tries
 * again.
 */
interface Official {
  readonly revision: string;
  open(login: Login, url: URL): Promise<(tool: string) => Promise<string>>;
}

const textIn = (result: unknown): string =>
  (result as { content: { text: string }[] }).content[0]!.text;

/** Runs an operation that needs a login, and runs it again after the login. */
async function loggedIn<T>(
  { finishAuth }: { finishAuth: () => Promise<void> },
  act: () => Promise<T>,
) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error) || error.constructor.name !== "UnauthorizedError") throw error;
    await finishAuth();
    return act();
  }
}

const finisher = (login: Login, transport: () => HttpV1 | HttpV2) => ({
  finishAuth: async () => {
    const parameters = login.back!.searchParams;
    expect(parameters.get("error_description")).toBe(null);
    await transport().finishAuth(parameters.get("code")!, parameters.get("iss") ?? undefined);
  },
});

const v1: Official = {
  revision: "2025-11-25",
  open: async (login, url) => {
    const start = () => new HttpV1(url, { authProvider: login });
    let transport = start();
    const finish = finisher(login, () => transport);
    let client = new ClientV1({ name: "official", version: "1" });
    await loggedIn(finish, () => {
      if (login.back !== undefined) transport = start();
      client = new ClientV1({ name: "official", version: "1" });
      return client.connect(transport as never);
    });
    onTestFinished(() => client.close());
    return (name) => loggedIn(finish, async () => textIn(await client.callTool({ name })));
  },
};

const v2 = (revision: string): Official => ({
  revision,
  open: async (login, url) => {
    const mode = revision === "2026-07-28" ? { pin: revision } : ("legacy" as const);
    const start = () => new HttpV2(url, { authProvider: login as never });
    const make = () =>
      new ClientV2({ name: "official", version: "2" }, { versionNegotiation: { mode } });
    let transport = start();
    const finish = finisher(login, () => transport);
    let client = make();
    await loggedIn(finish, () => {
      if (login.back !== undefined) transport = start();
      client = make();
      return client.connect(transport);
    });
    onTestFinished(() => client.close());
    return (name) =>
      loggedIn(finish, async () => textIn(await client.callTool({ name, arguments: {} })));
  },
});

const OFFICIAL: readonly (readonly [string, Official])[] = [
  ["1.x at 2025-11-25", v1],
  ["2.x at 2025-11-25", v2("2025-11-25")],
  ["2.x at 2026-07-28", v2("2026-07-28")],
];

describe.each(Object.entries(MOUNTS))("behind %s", (_name, mount) => {
  it.each(OFFICIAL)(
    "the official client %s logs in, and logs in once more for a higher scope (AUTH-01, AUTH-06)",
    async (_client, { open }) => {
      const guarded = await startGuarded({ mount, provider: { clientDocuments } });
      const login = new Login(guarded, DOCUMENT);
      const call = await open(login, new URL(guarded.url));
      const ada = `${guarded.provider.issuer}|ada`;
      expect(await call("whoami")).toMatch(`${ada} read`);
      expect(login.visited).toHaveLength(1);
      expect(await call("write")).toBe(`by ${ada}`);
      expect(login.visited).toHaveLength(2);
      // The challenge also names the scopes of every request, so that none are lost.
      expect(await call("whoami")).toMatch(/ read write$| write read$/);
      expect(login.visited).toHaveLength(2);
    },
  );
});

it.each(OFFICIAL)("the official client %s registers", async (_client, { open }) => {
  const guarded = await startGuarded();
  const login = new Login(guarded);
  const call = await open(login, new URL(guarded.url));
  expect(await call("whoami")).toMatch(`${guarded.provider.issuer}|ada read`);
  expect(login.visited).toHaveLength(1);
});

describe("a server that requires bound tokens", () => {
  it("accepts the proofs of the official client", async () => {
    const guarded = await startGuarded({ guard: { requireDpop: true } });
    const session = await DpopSession.create();
    const login = Object.assign(new Login(guarded), { dpop: () => session });
    const call = await v2("2026-07-28").open(login, new URL(guarded.url));
    expect(await call("whoami")).toMatch(`${guarded.provider.issuer}|ada read`);
    expect(new Set(guarded.received.map(({ scheme }) => scheme))).toEqual(new Set(["DPoP"]));
  });
});
