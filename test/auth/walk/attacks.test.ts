import { inspect } from "node:util";
import { connect } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { type Key, makeKey, proofFor, thumbprintOf } from "../server/authorization-server.js";
import { failure } from "../support/failure.js";
import type { RealServer } from "../support/real-provider.js";
import { startProvider } from "../support/real-provider.js";
import { type Guarded, type GuardedSettings, MOUNTS, startGuarded } from "./guarded-server.js";

const SECRET = "a-long-enough-secret-for-a-test";
const OTHER = "https://other.example/mcp";
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

const clients = ["job", "other"].map((client_id) => ({
  client_id,
  client_secret: SECRET,
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
  scope: "read write",
}));

const start = ({ provider, ...settings }: GuardedSettings = {}) =>
  startGuarded({ ...settings, provider: { clients, otherResources: [OTHER], ...provider } });

interface Wanted {
  readonly client?: string;
  readonly resource: string;
  readonly scope?: string;
  readonly key?: Key;
}

/** Obtains an access token for a client without a user. */
async function tokenOf(
  { issuer }: RealServer,
  { client = "job", resource, scope = "read", key }: Wanted,
): Promise<string> {
  const htu = `${issuer}/token`;
  const response = await fetch(htu, {
    method: "POST",
    headers: {
      Authorization: `Basic ${btoa(`${client}:${SECRET}`)}`,
      ...(key ? { DPoP: await proofFor("", key, { htu, ath: undefined }) } : {}),
    },
    body: new URLSearchParams({ grant_type: "client_credentials", scope, resource }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  expect(response.status).toBe(200);
  return token;
}

interface Sent {
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly revision?: string;
  readonly method?: string;
  readonly tool?: string;
  readonly http?: string;
}

const message = (method: string, params: object) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** Sends one request as a stranger would write it. */
async function send(url: string, sent: Sent) {
  const { authorization, headers, revision = "2026-07-28", http = "POST", tool } = sent;
  const { method = tool === undefined ? "tools/list" : "tools/call" } = sent;
  const isStateless = revision === "2026-07-28";
  const info = { name: "raw", version: "1" };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": info,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const opening = { protocolVersion: revision, capabilities: {}, clientInfo: info };
  const params = {
    ...(method === "initialize" ? opening : {}),
    ...(tool === undefined ? {} : { name: tool, arguments: {} }),
    ...(isStateless ? { _meta: meta } : {}),
  };
  const response = await fetch(url, {
    method: http,
    headers: {
      Accept: http === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      ...(http === "POST" ? { "Content-Type": "application/json" } : {}),
      ...(method === "initialize" ? {} : { "MCP-Protocol-Version": revision }),
      ...(isStateless ? { "Mcp-Method": method } : {}),
      ...(isStateless && tool !== undefined ? { "Mcp-Name": tool } : {}),
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...headers,
    },
    ...(http === "POST" ? { body: message(method, params) } : {}),
  });
  const text = await response.text();
  const fields = inspect([...response.headers]);
  return { status: response.status, headers: response.headers, all: fields + text };
}

/** Returns the parts of a token, none of which may be shown. */
const secretsIn = (token: string): string[] => [token, ...token.split(".")];

function expectNothingOf(tokens: readonly string[], ...places: unknown[]): void {
  const shown = places
    .map((place) => inspect(place, { depth: 12, showHidden: true, maxStringLength: Infinity }))
    .join("\n");
  for (const secret of tokens.flatMap(secretsIn)) expect(shown).not.toContain(secret);
}

interface Attack {
  readonly attack: string;
  readonly settings?: GuardedSettings;
  /** Prepares the request and the token in it. */
  readonly prepare: (guarded: Guarded) => Promise<{ readonly token: string; readonly sent: Sent }>;
  readonly status?: number;
  readonly error?: string;
}

const bearer = (token: string) => ({ token, sent: { authorization: `Bearer ${token}` } });

const ATTACKS: readonly Attack[] = [
  {
    attack: "a token for another resource of the same authorization server",
    prepare: async ({ provider }) => bearer(await tokenOf(provider, { resource: OTHER })),
  },
  {
    attack: "a token for this resource of another authorization server",
    prepare: async ({ url }) => {
      const stranger = await startProvider({ resource: () => url, clients });
      const token = await tokenOf(stranger, { resource: url });
      await stranger.close();
      return bearer(token);
    },
  },
  {
    attack: "a token that has expired",
    settings: { provider: { expiresIn: 1 }, guard: { clockTolerance: 0 } },
    prepare: async ({ provider, url }) => {
      const token = await tokenOf(provider, { resource: url });
      await new Promise((resolve) => setTimeout(resolve, 2100));
      return bearer(token);
    },
  },
  {
    attack: "a token whose claims were changed",
    prepare: async ({ provider, url }) => {
      const [head, payload, signature] = (await tokenOf(provider, { resource: url })).split(".");
      const claims = JSON.parse(Buffer.from(payload!, "base64url").toString()) as object;
      const changed = Buffer.from(JSON.stringify({ ...claims, sub: "root" })).toString("base64url");
      return bearer([head, changed, signature].join("."));
    },
  },
  {
    attack: "a token that is bound to a key, as Bearer",
    prepare: async ({ provider, url }) =>
      bearer(await tokenOf(provider, { resource: url, key: await makeKey("mine") })),
  },
  {
    attack: "a token that is bound to a key, as Bearer with a proof",
    prepare: async ({ provider, url }) => {
      const key = await makeKey("mine");
      const token = await tokenOf(provider, { resource: url, key });
      const headers = { DPoP: await proofFor(token, key, { htu: url }) };
      return { token, sent: { authorization: `Bearer ${token}`, headers } };
    },
  },
  {
    attack: "a token that is bound to a key, with a proof of another key",
    prepare: async ({ provider, url }) => {
      const token = await tokenOf(provider, { resource: url, key: await makeKey("mine") });
      const headers = { DPoP: await proofFor(token, await makeKey("thief"), { htu: url }) };
      return { token, sent: { authorization: `DPoP ${token}`, headers } };
    },
    error: "invalid_dpop_proof",
  },
  {
    attack: "a proof that was sent before",
    prepare: async ({ provider, url }) => {
      const key = await makeKey("mine");
      const token = await tokenOf(provider, { resource: url, key });
      const headers = { DPoP: await proofFor(token, key, { htu: url }) };
      const sent = { authorization: `DPoP ${token}`, headers };
      expect((await send(url, sent)).status).toBe(200);
      return { token, sent };
    },
    error: "invalid_dpop_proof",
  },
  {
    attack: "a field that holds more than a token",
    prepare: async ({ provider, url }) => {
      const token = await tokenOf(provider, { resource: url });
      return { token, sent: { authorization: `Bearer ${token}, Bearer ${token}` } };
    },
    status: 400,
    error: "invalid_request",
  },
];

describe.each(REVISIONS)("at %s", (revision) => {
  it.each(ATTACKS)(
    "$attack is refused, and the error reveals nothing of it (AUTH-01, AUTH-09, AUTH-10, SEC-06)",
    async ({ prepare, settings, status = 401, error = "invalid_token" }) => {
      const guarded = await start(settings);
      const { token, sent } = await prepare(guarded);
      const method = revision === "2026-07-28" ? "tools/list" : "initialize";
      const answer = await send(guarded.url, { ...sent, revision, method });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("www-authenticate")).toContain(`error="${error}"`);
      expect(answer.headers.get("mcp-session-id")).toBe(null);
      expectNothingOf([token], answer, guarded.reported);
    },
  );
});

describe.each(Object.entries(MOUNTS))("behind %s", (_name, mount) => {
  it("a token in the URL is refused, also in addition to one in the header (AUTH-12)", async () => {
    const { url, provider, reported } = await start({ mount });
    const token = await tokenOf(provider, { resource: url });
    const alone = await send(`${url}?access_token=${token}`, {});
    const both = await send(`${url}?access_token=${token}`, { authorization: `Bearer ${token}` });
    expect([alone.status, both.status]).toEqual([400, 400]);
    expectNothingOf([token], alone, both, reported);
  });

  it("a session does not exist for another user, whatever the request (SEC-04, AUTH-12)", async () => {
    const { url, provider, reported } = await start({ mount });
    const [mine, theirs] = await Promise.all([
      tokenOf(provider, { resource: url }),
      tokenOf(provider, { resource: url, client: "other" }),
    ]);
    const revision = "2025-11-25";
    const authorization = `Bearer ${mine}`;
    const opened = await send(url, { authorization, revision, method: "initialize" });
    const session = opened.headers.get("mcp-session-id")!;
    const headers = { "Mcp-Session-Id": session };
    for (const http of ["POST", "GET", "DELETE"]) {
      const stolen = { authorization: `Bearer ${theirs}`, headers, revision, http };
      const answer = await send(url, stolen);
      expect(answer.status, http).toBe(404);
      const unknown = { "Mcp-Session-Id": crypto.randomUUID() };
      const absent = await send(url, { ...stolen, headers: unknown });
      expect(answer.all.slice(answer.all.indexOf("{")), http).toBe(
        absent.all.slice(absent.all.indexOf("{")),
      );
      const nobody = await send(url, { headers, revision, http });
      expect(nobody.status, http).toBe(401);
      expectNothingOf([mine, theirs], answer, nobody);
    }
    const again = await send(url, { authorization, headers, revision, tool: "whoami" });
    expect([again.status, again.all]).toEqual([200, expect.stringContaining("|job")]);
    expectNothingOf([mine, theirs], opened, again, reported);
  });
});

describe("a token", () => {
  it.each(REVISIONS)(
    "is in no handler, no result and no report at %s, also after an error (AUTH-11, SEC-06)",
    async (revision) => {
      const { url, provider, reported } = await start();
      const token = await tokenOf(provider, { resource: url });
      const authorization = `Bearer ${token}`;
      const opened = await send(url, { authorization, revision, method: "initialize" });
      const session = opened.headers.get("mcp-session-id");
      const headers = session === null ? {} : { "Mcp-Session-Id": session };
      for (const tool of ["context", "fail", "write", "nothing"]) {
        const answer = await send(url, { authorization, revision, headers, tool });
        expect(answer.status, tool).toBe(tool === "write" ? 403 : answer.status);
        expect(answer.status, tool).not.toBe(401);
        if (tool === "context") expect(answer.all).toContain("|job");
        expectNothingOf([token], answer, reported);
      }
    },
  );

  it("is not in the report about an unavailable authorization server", async () => {
    const { url, provider, reported } = await start();
    const token = await tokenOf(provider, { resource: url });
    await provider.close();
    const answer = await send(url, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(503);
    expect(reported).toHaveLength(1);
    expectNothingOf([token], answer, reported);
  });

  it("that its server refuses at once is not in the client's error, and is not requested again", async () => {
    const guarded = await startGuarded({ guard: { audiences: [OTHER] } });
    const auth = guarded.oauth();
    const error = await failure(connect(guarded.url, { auth }));
    expect(guarded.visited).toHaveLength(1);
    const tokens = guarded.received.map(({ token }) => token);
    expect(tokens.length).toBeGreaterThan(0);
    expectNothingOf(tokens, error, auth, guarded.reported);
  });

  it("bound to a key has the key that the authorization server received", async () => {
    const { url, provider } = await start();
    const key = await makeKey("mine");
    const token = await tokenOf(provider, { resource: url, key });
    const claims = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as object;
    expect(claims).toMatchObject({ aud: url, cnf: { jkt: await thumbprintOf(key) } });
  });
});
