import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler, createSseHandler, McpServer } from "@mcp-codegen/universal";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  introspection,
  InvalidTokenError,
  jwt,
  resourceServer,
  type ResourceServerOptions,
  type TokenClaims,
} from "../../../runtime/auth/server/index.js";
import {
  AuthorizationServer,
  makeKey,
  proofFor,
  RESOURCE,
  thumbprintOf,
} from "./authorization-server.js";
import { ORIGIN, RawClient, REVISIONS } from "./raw-client.js";

const METADATA = `${ORIGIN}/.well-known/oauth-protected-resource/mcp`;

interface Given extends Partial<ResourceServerOptions> {
  readonly server?: AuthorizationServer;
}

async function start({ server: given, ...options }: Given = {}) {
  const server = given ?? (await AuthorizationServer.start());
  const errors: Error[] = [];
  const guard = resourceServer({
    resource: RESOURCE,
    authorizationServers: [server.issuer],
    onerror: (error) => void errors.push(error),
    ...options,
  });
  const mcp = new McpServer({ name: "guarded", version: "1" });
  mcp.registerTool("who", {}, (ctx) => JSON.stringify(ctx.auth));
  mcp.registerTool("write", {}, (ctx) => {
    ctx.requireScopes("notes:write");
    return "written";
  });
  const handler = createHttpHandler(mcp, { authenticate: guard });
  onTestFinished(() => handler.close(0));
  const client = (revision = "2026-07-28", headers: Record<string, string> = {}) =>
    new RawClient(handler, { revision, headers });
  /** Status and challenge of the answer to a call with this value of `Authorization`. */
  const ask = async (authorization?: string, headers: Record<string, string> = {}) => {
    const response = await client("2026-07-28", headers).call("who", authorization);
    const text = await response.text();
    return { status: response.status, challenge: response.headers.get("www-authenticate"), text };
  };
  return { server, handler, client, ask, errors, guard };
}

/** Moves the clock forward; timers keep running. */
function passTime(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  onTestFinished(() => void vi.useRealTimers());
}

describe.each(REVISIONS)("a resource server at %s", (revision) => {
  it("refuses requests without a token with 401, the URL of its metadata and its scopes (AUTH-01, AUTH-03, AUTH-04, AUTH-05)", async () => {
    const { client } = await start({ requiredScopes: ["notes:read"] });
    const raw = client(revision);
    const response = (await raw.open()) ?? (await raw.call("who"));
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer scope="notes:read", resource_metadata="${METADATA}"`,
    );
  });

  it("accepts a token for it, and passes issuer and subject, scopes and claims to handlers, never the token (AUTH-09, AUTH-11)", async () => {
    const { server, client } = await start();
    const token = await server.token({ scope: "notes:read notes:write" });
    const raw = client(revision);
    await raw.open(`Bearer ${token}`);
    const text = await (await raw.call("who", `Bearer ${token}`)).text();
    expect(text).toContain(`${server.issuer}|ada`);
    expect(text).toContain("notes:write");
    expect(text).not.toContain(token);
  });

  it("names all scopes of an operation with those of every request (AUTH-06, AUTH-07)", async () => {
    const { server, client } = await start({ requiredScopes: ["notes:read"] });
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
    const { server, client } = await start();
    const raw = client(revision);
    await raw.open(`Bearer ${await server.token()}`);
    expect((await raw.call("who")).status).toBe(401);
    expect((await raw.call("who", "Bearer forged")).status).toBe(401);
    const other = await raw.call("who", `Bearer ${await server.token({ sub: "eve" })}`);
    expect(other.status).toBe(revision === "2026-07-28" ? 200 : 404);
  });
});

describe("JWTs", () => {
  const now = Math.floor(Date.now() / 1000);

  it.each([
    ["for another server", { aud: "https://other.example/mcp" }, "The token is for another server"],
    ["without an audience", { aud: undefined }, "The token is for another server"],
    ["for a parent of the server", { aud: ORIGIN }, "The token is for another server"],
    ["that has expired", { exp: now - 60 }, "The token has expired"],
    ["without an expiry", { exp: undefined }, "The claim exp of the token is missing or not valid"],
    [
      "that is not valid yet",
      { nbf: now + 600 },
      "The claim nbf of the token is missing or not valid",
    ],
    [
      "of another issuer",
      { iss: "https://evil.example" },
      "The token is from an authorization server that is not trusted",
    ],
    ["without a subject", { sub: undefined }, "The token names no subject"],
    [
      "bound to a certificate",
      { cnf: { "x5t#S256": "x" } },
      "This server does not support the way in which the token is bound",
    ],
  ])("are refused if they are %s (AUTH-10)", async (_, claims, problem) => {
    const { server, ask } = await start();
    const { status, challenge } = await ask(`Bearer ${await server.token(claims)}`);
    expect(status).toBe(401);
    expect(challenge).toBe(
      `Bearer error="invalid_token", error_description="${problem}", resource_metadata="${METADATA}"`,
    );
  });

  it("are refused if another key signed them, or none, or a secret equal to the public key", async () => {
    const { server, ask } = await start();
    const { kid } = server.keys[0]!;
    const forged = await server.token({}, { key: { ...(await makeKey(kid)), kid } });
    const [header, payload] = (await server.token()).split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const symmetric = Buffer.from(`{"alg":"HS256","kid":"${kid}"}`).toString("base64url");
    for (const token of [
      forged,
      `${none}.${payload}.`,
      `${none}.${payload}.x`,
      `${symmetric}.${payload}.c2lnbmF0dXJl`,
      `${header}.${payload}.`,
      "a.b.c",
      "opaque",
    ]) {
      expect((await ask(`Bearer ${token}`)).status, token).toBeOneOf([400, 401]);
    }
  });

  it("follow a rotation of keys, and a flood of unknown key ids causes no more fetches", async () => {
    const { server, ask } = await start({ verify: jwt({ cooldown: 60_000 }) });
    expect((await ask(`Bearer ${await server.token()}`)).status).toBe(200);
    const invented = await makeKey("invented");
    const forged = await server.token({}, { key: invented });
    const statuses = await Promise.all(Array.from({ length: 50 }, () => ask(`Bearer ${forged}`)));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(server.requests.filter((path) => path === "/jwks")).toHaveLength(1);

    const quick = await start({ server, verify: jwt({ cooldown: 0 }) });
    expect((await quick.ask(`Bearer ${await server.token()}`)).status).toBe(200);
    server.keys = [await makeKey("two")];
    expect((await quick.ask(`Bearer ${await server.token()}`)).status).toBe(200);
  });

  it("are answered with 503 while the keys are unavailable, reported without the token, and accepted again after", async () => {
    const { server, ask, errors } = await start();
    server.isDown = true;
    const token = await server.token();
    const { status, challenge, text } = await ask(`Bearer ${token}`);
    expect([status, challenge]).toEqual([503, null]);
    expect(text).not.toContain(server.issuer);
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).not.toContain(token);
    server.isDown = false;
    passTime(6000);
    expect((await ask(`Bearer ${token}`)).status).toBe(200);
  });

  it.each(["metadata", "keys"])(
    "cause no flood of requests while the %s cannot be fetched",
    async (place) => {
      const { server, ask } = await start({
        verify: place === "keys" ? jwt({ jwksUri: "http://127.0.0.1:1/jwks" }) : jwt(),
      });
      server.isDown = true;
      const fetched = vi.spyOn(globalThis, "fetch");
      onTestFinished(() => fetched.mockRestore());
      const forged = await server.token({}, { key: await makeKey("invented") });
      for (let i = 0; i < 30; i++) expect((await ask(`Bearer ${forged}`)).status).toBe(503);
      expect(fetched).toHaveBeenCalledTimes(1);
      passTime(6000);
      expect((await ask(`Bearer ${forged}`)).status).toBe(503);
      expect(fetched).toHaveBeenCalledTimes(2);
    },
  );

  it.each(["logout+jwt", "dpop+jwt", "secevent+jwt", "application/client-authentication+jwt"])(
    "are refused if they are of the type %s",
    async (typ) => {
      const { server, ask } = await start();
      const { status, challenge } = await ask(
        `Bearer ${await server.token({}, { header: { typ } })}`,
      );
      expect([status, challenge]).toEqual([401, expect.stringContaining("not an access token")]);
    },
  );

  it.each(["at+jwt", "application/at+jwt", "JWT", undefined])(
    "are accepted if they are of the type %s",
    async (typ) => {
      const { server, ask } = await start();
      expect((await ask(`Bearer ${await server.token({}, { header: { typ } })}`)).status).toBe(200);
    },
  );

  it("may have scopes under either name, and scopes that others include (AUTH-08)", async () => {
    const { server, ask } = await start({
      requiredScopes: ["notes:read"],
      scopeHierarchy: { "notes:admin": ["notes:write"], "notes:write": ["notes:read"] },
    });
    for (const claims of [
      { scope: "notes:admin" },
      { scp: ["notes:write"] },
      { scp: "x notes:read" },
    ]) {
      expect((await ask(`Bearer ${await server.token(claims)}`)).status).toBe(200);
    }
    const { status, challenge } = await ask(
      `Bearer ${await server.token({ scope: "constructor" })}`,
    );
    expect([status, challenge]).toEqual([403, expect.stringContaining('scope="notes:read"')]);
  });
});

describe("credentials that cannot be read", () => {
  it.each(["Bearer", "Bearer a b", "Bearer é", "DPoP", "a", `Bearer ${"x".repeat(20_000)}`])(
    "are answered with 400: %s (AUTH-01)",
    async (authorization) => {
      const { ask } = await start();
      const { status, challenge } = await ask(authorization);
      expect(status).toBe(400);
      expect(challenge).toContain('error="invalid_request"');
    },
  );

  it.each(["Basic YTpi", "Negotiate abc", "Digest username=a"])(
    "of a scheme that is not offered are answered with 401, with the URL of the metadata: %s (AUTH-01, AUTH-03)",
    async (authorization) => {
      for (const allowAnonymous of [false, true]) {
        const { status, challenge } = await (await start({ allowAnonymous })).ask(authorization);
        expect(status).toBe(401);
        expect(challenge).toContain("resource_metadata=");
      }
    },
  );

  it("include those in the URL (AUTH-12)", async () => {
    const { handler, server } = await start();
    const url = `${RESOURCE}?access_token=${await server.token()}`;
    const response = await handler(new Request(url, { method: "POST", body: "{}" }));
    expect(response.status).toBe(400);
  });
});

describe("introspection", () => {
  const options = { client: { id: "mcp", secret: "s3cret" } };

  it("accepts a token only if it is active and for this server", async () => {
    const server = await AuthorizationServer.start();
    server.introspected.set("good", {
      active: true,
      sub: "ada",
      aud: [RESOURCE],
      scope: "notes:read",
    });
    server.introspected.set("elsewhere", {
      active: true,
      sub: "ada",
      aud: "https://other.example",
    });
    server.introspected.set("for-all", { active: true, sub: "ada" });
    const { ask } = await start({ server, verify: [jwt(), introspection(options)] });
    expect((await ask("Bearer good")).status).toBe(200);
    for (const token of ["revoked", "elsewhere", "for-all"]) {
      expect((await ask(`Bearer ${token}`)).status).toBe(401);
    }
    expect((await ask(`Bearer ${await server.token()}`)).status).toBe(200);
  });

  it("sends a request each time, or none during the configured time", async () => {
    const server = await AuthorizationServer.start();
    server.introspected.set("good", { active: true, sub: "ada", aud: RESOURCE });
    const asked = () => server.requests.filter((path) => path === "/introspect").length;
    const always = await start({ server, verify: introspection(options) });
    await always.ask("Bearer good");
    await always.ask("Bearer good");
    expect(asked()).toBe(2);
    const seldom = await start({ server, verify: introspection({ ...options, cacheFor: 60_000 }) });
    await seldom.ask("Bearer good");
    await seldom.ask("Bearer good");
    expect(asked()).toBe(3);
  });

  it("shares a request among calls with the same token, and caches a rejected token for some seconds", async () => {
    const server = await AuthorizationServer.start();
    server.introspected.set("good", { active: true, sub: "ada", aud: RESOURCE });
    const requests = () => server.requests.filter((path) => path === "/introspect").length;
    const { ask } = await start({ server, verify: introspection(options) });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask("Bearer good")));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(requests()).toBeLessThan(10);
    const before = requests();
    for (let i = 0; i < 10; i++) expect((await ask("Bearer revoked")).status).toBe(401);
    expect(requests()).toBe(before + 1);
    passTime(6000);
    expect((await ask("Bearer revoked")).status).toBe(401);
    expect(requests()).toBe(before + 2);
  });

  it("sends no request for some seconds while the authorization server is down", async () => {
    const server = await AuthorizationServer.start();
    const { ask } = await start({ server, verify: introspection(options) });
    expect((await ask("Bearer first")).status).toBe(401);
    server.isDown = true;
    const before = server.requests.length;
    for (let index = 0; index < 20; index++)
      expect((await ask(`Bearer invented-${index}`)).status).toBe(503);
    expect(server.requests.length).toBe(before + 1);
    server.isDown = false;
    passTime(6000);
    expect((await ask("Bearer another")).status).toBe(401);
  });

  it("sends at most 100 requests at once", async () => {
    const server = await AuthorizationServer.start();
    const verify = introspection(options);
    let running = 0;
    let most = 0;
    const real = globalThis.fetch;
    const slow = vi.spyOn(globalThis, "fetch").mockImplementation(async (...request) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return real(...request).finally(() => (running -= 1));
    });
    onTestFinished(() => slow.mockRestore());
    const { ask } = await start({ server, verify });
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => ask(`Bearer invented-${index}`)),
    );
    expect(most).toBeLessThanOrEqual(100);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
  });

  it.each([
    ["an expiry that is a string", { exp: "1600000000" }],
    ["an expiry that is null", { exp: null }],
    ["a start that is a string", { nbf: "1" }],
    ["a subject that is a number", { sub: 5 }],
    ["a subject that is an object", { sub: {} }],
    ["a client that is a list", { sub: undefined, client_id: ["a"] }],
  ])("rejects a token with %s", async (_, claims) => {
    const { ask } = await start({
      verify: () => ({ sub: "ada", aud: RESOURCE, ...claims }) as unknown as TokenClaims,
    });
    expect((await ask("Bearer odd")).status).toBe(401);
  });
});

describe("the metadata of an authorization server", () => {
  it("are found after a page that is sent for every other path", async () => {
    const place = "/realms/one/.well-known/openid-configuration";
    const paths: string[] = [];
    const listener = createServer((request, response) => {
      paths.push(request.url!);
      if (request.url === place) {
        const metadata = { issuer, introspection_endpoint: `${issuer}/introspect` };
        response.setHeader("content-type", "application/json").end(JSON.stringify(metadata));
      } else if (request.url === "/realms/one/introspect") {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ active: true, sub: "ada", aud: RESOURCE }));
      } else response.setHeader("content-type", "text/html").end("<!doctype html>");
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void listener.close());
    const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/realms/one`;
    const verify = introspection({ client: { id: "mcp", secret: "s3cret" } });
    const { ask } = await start({ authorizationServers: [issuer], verify });
    expect((await ask("Bearer good")).status).toBe(200);
    expect(paths).toContain(place);
  });

  it("are limited in length", async () => {
    let sent = 0;
    const listener = createServer(async (_, response) => {
      const chunk = `"${"x".repeat(64 * 1024)}"`;
      while (!response.destroyed && sent < 64 * 1024 * 1024) {
        sent += chunk.length;
        if (!response.write(chunk))
          await Promise.race([once(response, "drain"), once(response, "close")]);
      }
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void listener.close());
    const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const verify = introspection({ client: { id: "mcp", secret: "s3cret" } });
    const { ask, errors } = await start({ authorizationServers: [issuer], verify });
    expect((await ask("Bearer good")).status).toBe(503);
    expect(errors.map(String).join()).toContain("more than");
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});

describe("a verify function for tokens", () => {
  it("is subject to the same checks", async () => {
    const { ask, errors } = await start({
      verify: (token) => {
        if (token === "unknown") throw new InvalidTokenError("No such token");
        if (token === "broken") throw new Error("database: password is hunter2");
        return { sub: token, aud: token === "ada" ? RESOURCE : "https://other.example" };
      },
    });
    expect((await ask("Bearer ada")).status).toBe(200);
    expect((await ask("Bearer eve")).status).toBe(401);
    expect((await ask("Bearer unknown")).challenge).toContain("No such token");
    const { status, text } = await ask("Bearer broken");
    expect([status, text.includes("hunter2")]).toEqual([503, false]);
    expect(errors).toHaveLength(1);
  });
});

/** A server, and a token that is bound to a key. */
const bound = async (given: Given = {}) => {
  const parts = await start(given);
  const key = await makeKey("client");
  const token = await parts.server.token({ cnf: { jkt: await thumbprintOf(key) } });
  return { ...parts, key, token };
};

describe("tokens that are bound to a key", () => {
  it("are accepted with a proof, which is valid once", async () => {
    const { ask, key, token } = await bound();
    const proof = await proofFor(token, key);
    expect((await ask(`DPoP ${token}`, { DPoP: proof })).status).toBe(200);
    const again = await ask(`DPoP ${token}`, { DPoP: proof });
    expect([again.status, again.challenge]).toEqual([
      401,
      expect.stringContaining(
        'DPoP error="invalid_dpop_proof", error_description="The proof was used before"',
      ),
    ]);
    expect((await ask(`DPoP ${token}`, { DPoP: await proofFor(token, key) })).status).toBe(200);
  });

  it.each([
    ["another method", { htm: "GET" }],
    ["another server", { htu: "https://evil.example/mcp" }],
    ["another path", { htu: `${ORIGIN}/other` }],
    ["another token", { ath: "x" }],
    ["no token", { ath: undefined }],
    ["another time", { iat: Math.floor(Date.now() / 1000) - 600 }],
    ["another use of JWT", { typ: "JWT" }],
  ])("are refused with a proof for %s", async (_, parts) => {
    const { ask, key, token } = await bound();
    const { status } = await ask(`DPoP ${token}`, { DPoP: await proofFor(token, key, parts) });
    expect(status).toBe(401);
  });

  it("are refused without a proof, as Bearer, with two proofs, and with another client's key", async () => {
    const { ask, key, token } = await bound();
    const proof = await proofFor(token, key);
    const thief = await makeKey("thief");
    expect((await ask(`DPoP ${token}`)).status).toBe(401);
    expect((await ask(`Bearer ${token}`, { DPoP: proof })).status).toBe(401);
    // Refused with 400 before authentication, as each repeated field that has one value.
    expect((await ask(`DPoP ${token}`, { DPoP: `${proof}, ${proof}` })).status).toBe(400);
    expect((await ask(`DPoP ${token}`, { DPoP: await proofFor(token, thief) })).status).toBe(401);
  });

  it.each([
    ["empty", ""],
    ["a number", 7],
    ["of 8 kB", "x".repeat(8192)],
  ])("are refused with a proof whose id is %s", async (_, jti) => {
    const { ask, key, token } = await bound();
    const { status, challenge } = await ask(`DPoP ${token}`, {
      DPoP: await proofFor(token, key, { jti: jti as string }),
    });
    expect([status, challenge]).toEqual([401, expect.stringContaining("invalid_dpop_proof")]);
  });

  it("are the only accepted ones if an option says so", async () => {
    const { server, ask, key, token } = await bound({ requireDpop: true });
    expect((await ask()).challenge).toMatch(
      /^DPoP algs="ES256 EdDSA PS256 RS256", resource_metadata/,
    );
    expect((await ask(`Bearer ${await server.token()}`)).status).toBe(401);
    expect((await ask(`DPoP ${await server.token()}`, { DPoP: "x" })).status).toBe(401);
    expect((await ask(`DPoP ${token}`, { DPoP: await proofFor(token, key) })).status).toBe(200);
  });
});

describe("the metadata of the resource", () => {
  it("are served to everyone at both well-known paths, also for HEAD and to pages (AUTH-02, AUTH-04)", async () => {
    const { handler, server } = await start({
      requiredScopes: ["notes:read"],
      metadata: { resource_name: "Notes" },
    });
    for (const path of handler.wellKnownPaths) {
      const ask = (method: string) =>
        handler(
          new Request(ORIGIN + path, { method, headers: { Origin: "https://page.example" } }),
        );
      const response = await ask("GET");
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
      const head = await ask("HEAD");
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect((await ask("OPTIONS")).status).toBe(204);
      expect((await ask("POST")).status).toBe(405);
    }
    expect(handler.wellKnownPaths).toEqual([
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]);
  });

  it("are served with those of the authorization server for clients of 2025-03-26, if an option says so", async () => {
    const { handler, server } = await start({ serveAuthorizationServerMetadata: true });
    const url = `${ORIGIN}/.well-known/oauth-authorization-server`;
    const response = await handler(new Request(url));
    expect(await response.json()).toMatchObject({
      issuer: server.issuer,
      token_endpoint: `${server.issuer}/token`,
    });
    const { handler: without } = await start();
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
