import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  clientCredentials,
  memoryStore,
  oauth,
  type OAuthOptions,
  redirect,
} from "@mcp-codegen/auth/client";
import { fileStore } from "@mcp-codegen/auth/node";
import { listen } from "@mcp-codegen/runtime/http/node";
import { connect, createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { type ProviderSettings, type RealServer, startProvider } from "./support/real-provider.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Starts an MCP server on a socket. It accepts only those tokens of the provider that were issued for it. */
async function start(settings: Partial<ProviderSettings> = {}) {
  let resource = "";
  const provider = await startProvider({ resource: () => resource, ...settings });
  const keys = createRemoteJWKSet(new URL("/jwks", provider.issuer));
  const server = new McpServer({ name: "real", version: "1.0.0" });
  server.registerTool("whoami", {}, ({ auth }) => `${auth?.principal} ${auth?.scopes?.join(" ")}`);
  const tokens: string[] = [];
  const schemes = new Set<string>();
  const handler = createHttpHandler(server, {
    authenticate: async (head) => {
      const [scheme = "", token = ""] = (head.header("authorization") ?? "").split(" ");
      const challenge = `${scheme === "DPoP" ? "DPoP" : "Bearer"} scope="read"`;
      const verified = await jwtVerify(token, keys, {
        issuer: provider.issuer,
        audience: resource,
      }).catch(() => undefined);
      if (!verified) return { status: 401, headers: { "www-authenticate": challenge } };
      schemes.add(scheme);
      if (tokens.at(-1) !== token) tokens.push(token);
      const { sub, client_id, scope } = verified.payload;
      return { principal: sub ?? String(client_id), scopes: String(scope ?? "").split(" ") };
    },
  });
  const mcp = await listen(handler);
  resource = mcp.url.toString();
  const place = new URL("/.well-known/oauth-protected-resource/mcp", resource);
  // The MCP server's own origin has no route for the metadata here, so the client's network serves it.
  const fetchMetadata: NonNullable<OAuthOptions["fetch"]> = async (url, init) =>
    url.href === place.href
      ? Response.json({ resource, authorization_servers: [provider.issuer] })
      : fetch(url, init);
  closing.push(
    () => provider.close(),
    () => mcp.close(),
  );
  return { provider, url: resource, fetchMetadata, tokens, schemes };
}

const visited: URL[] = [];
/** A browser in which the provider's user is logged in. */
function browser({ visit }: RealServer) {
  visited.length = 0;
  return redirect({
    redirectUri: "http://127.0.0.1:3999/callback",
    visit: (url) => {
      visited.push(url);
      return visit(url);
    },
  });
}

describe("with a real authorization server on sockets", () => {
  it("registers, logs in, refreshes with rotation, and logs out", async () => {
    const { provider, url, fetchMetadata, tokens } = await start({ expiresIn: 11 });
    const store = memoryStore();
    const auth = oauth({ authorize: browser(provider), fetch: fetchMetadata, store });
    const client = await connect(url, { auth });
    expect((await client.callTool("whoami")).content).toMatchObject([{ text: "ada read" }]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await client.callTool("whoami");
    await client.callTool("whoami");
    await client.close();
    expect(tokens.length).toBeGreaterThan(1);
    expect(visited).toHaveLength(1);
    await auth.logout(url);
    await (await connect(url, { auth })).close();
    expect(visited).toHaveLength(2);
  });

  it("binds tokens to a key", async () => {
    const { provider, url, fetchMetadata, schemes } = await start();
    const auth = oauth({ authorize: browser(provider), fetch: fetchMetadata, dpop: true });
    const client = await connect(url, { auth });
    expect((await client.callTool("whoami")).content).toMatchObject([{ text: "ada read" }]);
    await client.close();
    expect([...schemes]).toEqual(["DPoP"]);
  });

  it("uses given client credentials, without a user", async () => {
    const secret = "a-long-enough-secret-for-a-test";
    const job = {
      client_id: "job",
      client_secret: secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      scope: "read",
    };
    const { provider, url, fetchMetadata } = await start({ clients: [job] });
    const given = { id: "job", secret, issuer: provider.issuer };
    const auth = oauth({ authorize: clientCredentials(), client: given, fetch: fetchMetadata });
    const client = await connect(url, { auth });
    expect((await client.callTool("whoami")).content).toMatchObject([{ text: "job read" }]);
    await client.close();
  });

  it("lets two clients with one store refresh at once, and both stay logged in", async () => {
    const { provider, url, fetchMetadata } = await start({ expiresIn: 11 });
    const folder = mkdtempSync(join(tmpdir(), "mcp-auth-"));
    closing.push(async () => rmSync(folder, { recursive: true, force: true }));
    const make = () =>
      oauth({ authorize: browser(provider), fetch: fetchMetadata, store: fileStore({ folder }) });
    await (await connect(url, { auth: make() })).close();
    visited.length = 0;
    const clients = await Promise.all([
      connect(url, { auth: make() }),
      connect(url, { auth: make() }),
    ]);
    for (let count = 0; count < 3; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1100));
      await Promise.all(clients.map((client) => client.callTool("whoami")));
    }
    await Promise.all(clients.map((client) => client.close()));
    expect(visited).toEqual([]);
  });
});
