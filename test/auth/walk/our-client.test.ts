import { clientCredentials, memoryStore } from "@mcp-codegen/auth/client";
import { connect, revisions } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { type Guarded, MOUNTS, startGuarded } from "./guarded-server.js";

const STATELESS = revisions.filter(({ id }) => id === "2026-07-28");
const SESSION = revisions.filter(({ id }) => id === "2025-11-25");
const KINDS = [STATELESS, SESSION] as const;

const DOCUMENT = "https://app.example/client.json";
const clientDocuments = {
  [DOCUMENT]: {
    client_id: DOCUMENT,
    client_name: "App",
    redirect_uris: ["http://127.0.0.1:3999/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  },
};

const text = (value: string) => [{ type: "text", text: value }];

async function called({ url }: Guarded, auth: ReturnType<Guarded["oauth"]>) {
  const client = await connect(url, { auth });
  const { content } = await client.callTool("whoami");
  await client.close();
  return content;
}

describe.each(Object.entries(MOUNTS))("behind %s", (_name, mount) => {
  it.each(KINDS)(
    "a client logs in, and logs in once more for a higher scope, at $id (AUTH-01, AUTH-06)",
    async (revision) => {
      const { url, provider, visited, oauth } = await startGuarded({ mount });
      const client = await connect(url, { auth: oauth(), revisions: [revision] });
      expect(client.revision).toBe(revision.id);
      const { content } = await client.callTool("whoami");
      expect(content).toEqual(text(`${provider.issuer}|ada read`));
      expect(visited).toHaveLength(1);
      expect((await client.callTool("write")).content).toEqual(text(`by ${provider.issuer}|ada`));
      expect(visited).toHaveLength(2);
      expect(visited[1]!.searchParams.get("scope")!.split(" ")).toEqual(
        expect.arrayContaining(["read", "write"]),
      );
      await client.callTool("write");
      await client.callTool("whoami");
      expect(visited).toHaveLength(2);
      await client.close();
    },
  );

  it("the metadata are at both well-known paths, for everyone (AUTH-02, AUTH-04)", async () => {
    const { url, provider } = await startGuarded({ mount });
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]) {
      const place = new URL(path, url);
      const got = await fetch(place, { headers: { Origin: "https://page.example" } });
      expect(got.status, path).toBe(200);
      expect(got.headers.get("content-type")).toMatch(/^application\/json/);
      expect(got.headers.get("access-control-allow-origin")).toBe("*");
      const metadata: unknown = await got.json();
      expect(metadata).toMatchObject({
        resource: url,
        authorization_servers: [provider.issuer],
        scopes_supported: ["read", "write"],
      });
      const head = await fetch(place, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect(head.headers.get("content-length")).toBe(String(JSON.stringify(metadata).length));
      const preflight = await fetch(place, {
        method: "OPTIONS",
        headers: {
          Origin: "https://page.example",
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "mcp-protocol-version",
        },
      });
      expect(preflight.ok).toBe(true);
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
      expect(preflight.headers.get("access-control-allow-headers")).toMatch(
        /\*|mcp-protocol-version/i,
      );
    }
    const wrong = await fetch(new URL("/.well-known/oauth-protected-resource", url), {
      method: "POST",
    });
    expect(wrong.status).toBe(405);
  });
});

describe("a client of a guarded server", () => {
  it("is identified by its document, if the authorization server supports that (AUTH-26, AUTH-27)", async () => {
    const guarded = await startGuarded({ provider: { clientDocuments } });
    const auth = guarded.oauth({ clientMetadataUrl: DOCUMENT });
    const ada = text(`${guarded.provider.issuer}|ada read`);
    expect(await called(guarded, auth)).toEqual(ada);
    expect(guarded.visited[0]!.searchParams.get("client_id")).toBe(DOCUMENT);
  });

  it("is identified by configured credentials (AUTH-31)", async () => {
    const client_secret = "a-long-enough-secret-for-a-test";
    const given = {
      client_id: "given",
      client_secret,
      redirect_uris: ["http://127.0.0.1:3999/callback"],
      application_type: "native",
      grant_types: ["authorization_code", "refresh_token"],
    };
    const guarded = await startGuarded({ provider: { clients: [given] } });
    const { issuer } = guarded.provider;
    const client = { id: "given", secret: client_secret, issuer };
    expect(await called(guarded, guarded.oauth({ client }))).toEqual(text(`${issuer}|ada read`));
    expect(guarded.visited[0]!.searchParams.get("client_id")).toBe("given");
  });

  it("needs no user if it has credentials of its own", async () => {
    const client_secret = "a-long-enough-secret-for-a-test";
    const job = {
      client_id: "job",
      client_secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      scope: "read",
    };
    const guarded = await startGuarded({ provider: { clients: [job] } });
    const { issuer } = guarded.provider;
    const auth = guarded.oauth({
      authorize: clientCredentials(),
      client: { id: "job", secret: client_secret, issuer },
    });
    expect(await called(guarded, auth)).toEqual(text(`${issuer}|job read`));
    expect(guarded.visited).toEqual([]);
  });

  it("refreshes before the expiry, each time with the newest refresh token", async () => {
    const { url, visited, received, oauth } = await startGuarded({ provider: { expiresIn: 11 } });
    const client = await connect(url, { auth: oauth({ store: memoryStore() }) });
    for (let count = 0; count < 3; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await client.callTool("whoami");
    }
    await client.close();
    expect(new Set(received.map(({ token }) => token)).size).toBeGreaterThan(2);
    expect(visited).toHaveLength(1);
  });

  it.each(KINDS)(
    "proves with every request that it holds the key of its token, also after a step-up and a refresh, at $id",
    async (revision) => {
      const { url, provider, visited, received, oauth } = await startGuarded({
        guard: { requireDpop: true },
        provider: { expiresIn: 11 },
      });
      const client = await connect(url, { auth: oauth({ dpop: true }), revisions: [revision] });
      const ada = `${provider.issuer}|ada`;
      expect((await client.callTool("whoami")).content).toEqual(text(`${ada} read`));
      expect((await client.callTool("write")).content).toEqual(text(`by ${ada}`));
      await new Promise((resolve) => setTimeout(resolve, 1200));
      expect((await client.callTool("write")).content).toEqual(text(`by ${ada}`));
      await client.close();
      expect(visited).toHaveLength(2);
      expect(new Set(received.map(({ scheme }) => scheme))).toEqual(new Set(["DPoP"]));
      expect(new Set(received.map(({ token }) => token)).size).toBeGreaterThan(2);
    },
  );

  it("may bind its tokens if the server does not require it", async () => {
    const guarded = await startGuarded();
    const client = await connect(guarded.url, { auth: guarded.oauth({ dpop: true }) });
    await client.callTool("write");
    await client.close();
    expect(new Set(guarded.received.map(({ scheme }) => scheme))).toEqual(new Set(["DPoP"]));
  });
});
