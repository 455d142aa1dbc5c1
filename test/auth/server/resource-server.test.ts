import { createSseHandler, McpServer } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { jwt, resourceServer, type ResourceServerOptions } from "@mcp-codegen/auth/server";
import { RESOURCE } from "./authorization-server.js";
import { METADATA, startGuarded } from "./guarded-server.js";
import { ORIGIN, REVISIONS } from "./raw-client.js";

describe.each(REVISIONS)("a resource server at %s", (revision) => {
  it("refuses requests without a token with 401, the URL of its metadata and its scopes (AUTH-01, AUTH-03, AUTH-04, AUTH-05)", async () => {
    const { client } = await startGuarded({ requiredScopes: ["notes:read"] });
    const raw = client(revision);
    const response = (await raw.open()) ?? (await raw.call("who"));
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer scope="notes:read", resource_metadata="${METADATA}"`,
    );
  });

  it("accepts a token for it, and passes issuer and subject, scopes and claims to handlers, never the token (AUTH-09, AUTH-11)", async () => {
    const { server, client } = await startGuarded();
    const exp = Math.floor(Date.now() / 1000) + 100;
    const token = await server.token({ scope: "notes:read notes:write", exp });
    const raw = client(revision);
    await raw.open(`Bearer ${token}`);
    const text = await (await raw.call("who", `Bearer ${token}`)).text();
    expect(text).toContain(`${server.issuer}|ada`);
    expect(text).toContain(`\\"expiresAt\\":${(exp + 5) * 1000}`);
    expect(text).toContain("notes:write");
    expect(text).not.toContain(token);
  });

  it("names all scopes of an operation with those of every request (AUTH-06, AUTH-07)", async () => {
    const { server, client } = await startGuarded({ requiredScopes: ["notes:read"] });
    const bearer = `Bearer ${await server.token({ scope: "notes:read" })}`;
    const raw = client(revision);
    await raw.open(bearer);
    const response = await raw.call("write", bearer);
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_scope", error_description="This request needs the scopes notes:read notes:write", ' +
        `scope="notes:read notes:write", resource_metadata="${METADATA}"`,
    );
  });

  it("checks the token with every request, also within a session (AUTH-09, AUTH-12)", async () => {
    const { server, client } = await startGuarded();
    const raw = client(revision);
    await raw.open(`Bearer ${await server.token()}`);
    expect((await raw.call("who")).status).toBe(401);
    expect((await raw.call("who", "Bearer forged")).status).toBe(401);
    const other = await raw.call("who", `Bearer ${await server.token({ sub: "eve" })}`);
    expect(other.status).toBe(revision === "2026-07-28" ? 200 : 404);
  });
});

describe("credentials that cannot be read", () => {
  it.each(["Bearer", "Bearer a b", "Bearer é", "DPoP", "a", `Bearer ${"x".repeat(20_000)}`])(
    "are answered with 400: %s (AUTH-01)",
    async (authorization) => {
      const { callWith } = await startGuarded();
      const { status, challenge } = await callWith(authorization);
      expect(status).toBe(400);
      expect(challenge).toContain('error="invalid_request"');
    },
  );

  it.each(["Basic YTpi", "Negotiate abc", "Digest username=a"])(
    "of a scheme that is not offered are answered with 401, with the URL of the metadata: %s (AUTH-01, AUTH-03)",
    async (authorization) => {
      for (const allowAnonymous of [false, true]) {
        const { status, challenge } = await (
          await startGuarded({ allowAnonymous })
        ).callWith(authorization);
        expect(status).toBe(401);
        expect(challenge).toContain("resource_metadata=");
      }
    },
  );

  it("include those in the URL (AUTH-12)", async () => {
    const { handler, server } = await startGuarded();
    const url = `${RESOURCE}?access_token=${await server.token()}`;
    const response = await handler(new Request(url, { method: "POST", body: "{}" }));
    expect(response.status).toBe(400);
  });
});

describe("the metadata of the resource", () => {
  it("are served to everyone at both well-known paths, also for HEAD and to pages (AUTH-02, AUTH-04)", async () => {
    const { handler, server } = await startGuarded({
      requiredScopes: ["notes:read"],
      metadata: { resource_name: "Notes" },
    });
    for (const path of handler.wellKnownPaths) {
      const send = (method: string) =>
        handler(
          new Request(ORIGIN + path, { method, headers: { Origin: "https://page.example" } }),
        );
      const response = await send("GET");
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.json()).toMatchObject({
        resource: RESOURCE,
        authorization_servers: [server.issuer],
        scopes_supported: ["notes:read"],
        bearer_methods_supported: ["header"],
        resource_name: "Notes",
      });
      const head = await send("HEAD");
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect((await send("OPTIONS")).status).toBe(204);
      expect((await send("POST")).status).toBe(405);
    }
    expect(handler.wellKnownPaths).toEqual([
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]);
  });

  it("are served with those of the authorization server for clients of 2025-03-26, if an option says so", async () => {
    const { handler, server } = await startGuarded({ serveAuthorizationServerMetadata: true });
    const url = `${ORIGIN}/.well-known/oauth-authorization-server`;
    const response = await handler(new Request(url));
    expect(await response.json()).toMatchObject({
      issuer: server.issuer,
      token_endpoint: `${server.issuer}/token`,
    });
    const { handler: without } = await startGuarded();
    expect((await without(new Request(url))).status).not.toBe(200);
  });

  it("are served by the handler of HTTP+SSE as well", async () => {
    const guard = resourceServer({
      resource: RESOURCE,
      authorizationServers: ["https://as.example"],
    });
    const mcp = new McpServer({ name: "guarded", version: "1" });
    const sse = createSseHandler(mcp, { authenticate: guard });
    expect((await sse(new Request(METADATA))).status).toBe(200);
    expect((await sse(new Request(`${ORIGIN}/sse`))).status).toBe(401);
  });
});

describe("options of a resource server", () => {
  const good = { resource: RESOURCE, authorizationServers: ["https://as.example"] };

  it.each([
    [{ ...good, resource: "http://mcp.example/mcp" }, "resource"],
    [{ ...good, resource: "https://user:secret@mcp.example/mcp" }, "resource"],
    [{ ...good, resource: "https://mcp.example/mcp#x" }, "resource"],
    [{ ...good, authorizationServers: [] }, "at least one"],
    [{ ...good, authorizationServers: ["as.example"] }, "authorizationServers"],
    [{ ...good, requiredScopes: ["a b"] }, "not a valid scope"],
    [{ ...good, requiredScopes: ["offline_access"] }, "offline_access"],
    [{ ...good, scopesSupported: ["offline_access"] }, "offline_access"],
    [{ ...good, audience: "x" }, 'unknown option "audience"'],
  ])("are rejected: %j (AUTH-13)", (options, problem) => {
    expect(() => resourceServer(options as ResourceServerOptions)).toThrow(problem);
  });

  it("reject algorithms that are not asymmetric", () => {
    for (const algorithm of ["HS256", "none"]) {
      expect(() => jwt({ algorithms: [algorithm] })).toThrow(TypeError);
    }
  });
});
