import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { examineServer } from "@mcp-codegen/testing/doctor";
import { revisions } from "@mcp-codegen/universal/revisions";
import { describe, expect, it } from "vitest";
import { findingsOf as findingsOfFull } from "./support/examine-full.js";

type Members = Readonly<Record<string, unknown>>;

/** Answers of a server that requires tokens, where they differ from those without a fault. */
interface Answers {
  /** Value of `WWW-Authenticate`. */
  readonly challenge?: (origin: string) => string | undefined;
  /** Metadata of the protected resource; undefined for 404. */
  readonly resource?: (origin: string) => Members | undefined;
  /** Metadata of the authorization server; undefined for 404. */
  readonly issuer?: (origin: string) => Members | undefined;
  /** True for a request that is served. */
  readonly admits?: (token: string | undefined, method: string) => boolean;
  /** Status of a refusal. */
  readonly status?: number;
}

const challengeOf = (origin: string): string =>
  `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
const resourceOf = (origin: string): Members => ({
  resource: `${origin}/mcp`,
  authorization_servers: [`${origin}/issuer`],
  scopes_supported: ["read"],
});
const issuerOf = (origin: string): Members => ({
  issuer: `${origin}/issuer`,
  authorization_endpoint: "https://login.example.com/authorize",
  token_endpoint: "https://login.example.com/token",
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
});

/** Findings about a server with these answers. */
async function findingsOf(answers: Answers, revision: string): Promise<readonly string[]> {
  const server = createServer(async (request, response) => {
    const origin = `http://${request.headers.host}`;
    const json = (value: Members | undefined) => {
      response.writeHead(value ? 200 : 404, { "content-type": "application/json" });
      response.end(value && JSON.stringify(value));
    };
    const { pathname } = new URL(request.url!, origin);
    const { challenge = challengeOf, resource = resourceOf, issuer = issuerOf } = answers;
    if (pathname === "/.well-known/oauth-protected-resource/mcp") return json(resource(origin));
    if (pathname === "/.well-known/oauth-authorization-server/issuer") return json(issuer(origin));
    if (pathname !== "/mcp") return json(undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // A GET has no message.
    const text = Buffer.concat(chunks).toString() || "{}";
    const { id, method } = JSON.parse(text) as Members;
    const token = request.headers.authorization?.replace("Bearer ", "");
    if (answers.admits?.(token, String(method))) {
      return json({ jsonrpc: "2.0", id, error: { code: -32603, message: "not now" } });
    }
    const value = challenge(origin);
    response.writeHead(
      answers.status ?? 401,
      value === undefined ? {} : { "www-authenticate": value },
    );
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const { findings, needsLogin } = await examineServer(
      { url: new URL(`http://127.0.0.1:${port}/mcp`) },
      { revisions: revisions.filter(({ id }) => id === revision), timeout: 3_000 },
    );
    expect(needsLogin).toBe(true);
    return findings.map(({ id, pointer }) => `${id} ${pointer}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const without = (name: string) => (origin: string) => ({ ...issuerOf(origin), [name]: undefined });

/** Faults: name, answers, and the only finding. */
const faults: readonly (readonly [string, Answers, string])[] = [
  ["no challenge", { challenge: () => undefined }, "auth-challenge /http/headers/www-authenticate"],
  [
    "a challenge of Basic",
    { challenge: () => 'Basic realm="a"' },
    "auth-challenge /http/headers/www-authenticate",
  ],
  [
    "no metadata of the resource",
    { resource: () => undefined },
    "auth-metadata /http/headers/www-authenticate",
  ],
  [
    "metadata at an address that does not exist",
    { challenge: (origin) => `Bearer resource_metadata="${origin}/none"` },
    "auth-metadata /http/headers/www-authenticate",
  ],
  [
    "metadata at an address without a host",
    {
      challenge: () => 'Bearer resource_metadata="/.well-known/oauth-protected-resource/mcp"',
    },
    "auth-metadata /http/headers/www-authenticate",
  ],
  [
    "another resource as audience",
    { resource: (origin) => ({ ...resourceOf(origin), resource: "https://example.com/mcp" }) },
    "auth-resource /resource",
  ],
  [
    "a resource that is a neighbour of the server",
    { resource: (origin) => ({ ...resourceOf(origin), resource: `${origin}/mcp-2` }) },
    "auth-resource /resource",
  ],
  [
    "no resource",
    { resource: (origin) => ({ ...resourceOf(origin), resource: undefined }) },
    "auth-resource /resource",
  ],
  [
    "no authorization server",
    { resource: (origin) => ({ ...resourceOf(origin), authorization_servers: [] }) },
    "auth-servers /authorization_servers",
  ],
  [
    "an authorization server that is no URL",
    { resource: (origin) => ({ ...resourceOf(origin), authorization_servers: ["issuer"] }) },
    "auth-servers /authorization_servers",
  ],
  ["no metadata of the issuer", { issuer: () => undefined }, "auth-issuer /issuer"],
  [
    "another issuer",
    { issuer: (origin) => ({ ...issuerOf(origin), issuer: origin }) },
    "auth-issuer /issuer",
  ],
  [
    "an issuer with a slash in addition",
    { issuer: (origin) => ({ ...issuerOf(origin), issuer: `${origin}/issuer/` }) },
    "auth-issuer /issuer",
  ],
  [
    "no PKCE",
    { issuer: without("code_challenge_methods_supported") },
    "auth-pkce /code_challenge_methods_supported",
  ],
  [
    "PKCE without S256",
    { issuer: (origin) => ({ ...issuerOf(origin), code_challenge_methods_supported: ["plain"] }) },
    "auth-pkce /code_challenge_methods_supported",
  ],
  ["no token endpoint", { issuer: without("token_endpoint") }, "auth-endpoints /token_endpoint"],
  [
    "no response types",
    { issuer: without("response_types_supported") },
    "auth-endpoints /response_types_supported",
  ],
  [
    "an endpoint without TLS",
    {
      issuer: (origin) => ({
        ...issuerOf(origin),
        token_endpoint: "http://login.example.com/token",
      }),
    },
    "auth-secure /token_endpoint",
  ],
  ["any token", { admits: (token) => token !== undefined }, "auth-token /http/status"],
  [
    "tokens without a signature",
    { admits: (token) => token?.endsWith(".") === true },
    "auth-token /http/status",
  ],
  [
    "lists without a token",
    { admits: (token, method) => token === undefined && method.endsWith("/list") },
    "auth-token /http/status",
  ],
];

describe.each(["2025-11-25", "2026-07-28"])(
  "doctor of a server that requires tokens, at %s,",
  (id) => {
    it("finds nothing in one without a fault", async () => {
      expect(await findingsOf({}, id)).toEqual([]);
    });

    it("finds nothing if the metadata has to be guessed, and the resource is above the server", async () => {
      const answers: Answers = {
        challenge: () => "Bearer",
        resource: (origin) => ({ ...resourceOf(origin), resource: origin }),
      };
      expect(await findingsOf(answers, id)).toEqual([]);
    });

    it.each(faults)("finds %s, and nothing else", async (_, answers, found) => {
      expect(await findingsOf(answers, id)).toEqual([found]);
    });
  },
);

it("finds a challenge that names no metadata, for clients of 2025-06-18", async () => {
  const answers: Answers = { challenge: () => 'Bearer realm="mcp"' };
  expect(await findingsOf(answers, "2025-06-18")).toEqual([
    "auth-named /http/headers/www-authenticate",
  ]);
  expect(await findingsOf({}, "2025-06-18")).toEqual([]);
});

const offline = (origin: string) => `${challengeOf(origin)}, scope="read offline_access"`;

it("finds the scope offline_access in a stateless server", async () => {
  const challenge = offline;
  expect(await findingsOf({ challenge }, "2026-07-28")).toEqual([
    "auth-scope /http/headers/www-authenticate",
  ]);
  expect(await findingsOf({ challenge }, "2025-11-25")).toEqual([]);
});

describe.concurrent("doctor with a token for a server that requires one", () => {
  const token = { authorization: "Bearer good-token" };
  const examined = (fault: string, revision: string) =>
    findingsOfFull("http", fault, revision, false, token);

  it.each(["2025-06-18", "2025-11-25", "2026-07-28"])(
    "finds nothing in one without a fault at %s, nor in those that serve without a token, or refuse its scopes",
    async (id) => {
      expect(await examined("token-needed", id)).toEqual([]);
      expect(await examined("token-optional", id)).toEqual([]);
      expect(await examined("token-narrow", id)).toEqual([]);
    },
  );

  it.each([
    ["token-without-issuer", "auth-servers /authorization_servers"],
    ["token-of-session", "auth-token /http/status"],
    ["token-of-get", "auth-token /http/status"],
    ["token-403", "auth-token /http/status"],
    ["token-in-url", "auth-token /http/status"],
    ["token-narrow-unnamed", "auth-insufficient /http/headers/www-authenticate"],
    ["token-any", "auth-token /http/status"],
    ["token-of-any-length", "auth-token /http/status"],
  ])("finds %s, and nothing else", async (fault, found) => {
    expect(await examined(fault, "2025-11-25")).toEqual([found]);
  });
});
