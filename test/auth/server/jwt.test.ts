import { describe, expect, it, onTestFinished, vi } from "vitest";
import { jwt } from "@mcp-codegen/auth/server";
import { makeKey } from "./authorization-server.js";
import { METADATA, passTime, startGuarded } from "./guarded-server.js";
import { ORIGIN } from "./raw-client.js";

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
    const { server, callWith } = await startGuarded();
    const { status, challenge } = await callWith(`Bearer ${await server.token(claims)}`);
    expect(status).toBe(401);
    expect(challenge).toBe(
      `Bearer error="invalid_token", error_description="${problem}", resource_metadata="${METADATA}"`,
    );
  });

  it("are refused if another key signed them, or none, or a secret equal to the public key", async () => {
    const { server, callWith } = await startGuarded();
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
      expect((await callWith(`Bearer ${token}`)).status, token).toBeOneOf([400, 401]);
    }
  });

  it("follow a rotation of keys, and a flood of unknown key ids causes no more fetches", async () => {
    const { server, callWith } = await startGuarded({ verify: jwt({ cooldown: 60_000 }) });
    expect((await callWith(`Bearer ${await server.token()}`)).status).toBe(200);
    const invented = await makeKey("invented");
    const forged = await server.token({}, { key: invented });
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () => callWith(`Bearer ${forged}`)),
    );
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(server.requests.filter((path) => path === "/jwks")).toHaveLength(1);

    const quick = await startGuarded({ server, verify: jwt({ cooldown: 0 }) });
    expect((await quick.callWith(`Bearer ${await server.token()}`)).status).toBe(200);
    server.keys = [await makeKey("two")];
    expect((await quick.callWith(`Bearer ${await server.token()}`)).status).toBe(200);
  });

  it("are answered with 503 while the keys are unavailable, reported without the token, and accepted again after", async () => {
    const { server, callWith, errors } = await startGuarded();
    server.isDown = true;
    const token = await server.token();
    const { status, challenge, text } = await callWith(`Bearer ${token}`);
    expect([status, challenge]).toEqual([503, null]);
    expect(text).not.toContain(server.issuer);
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).not.toContain(token);
    server.isDown = false;
    passTime(6000);
    expect((await callWith(`Bearer ${token}`)).status).toBe(200);
  });

  it.each(["metadata", "keys"])(
    "cause no flood of requests while the %s cannot be fetched",
    async (place) => {
      const { server, callWith } = await startGuarded({
        verify: place === "keys" ? jwt({ jwksUri: "http://127.0.0.1:1/jwks" }) : jwt(),
      });
      server.isDown = true;
      const source = place === "keys" ? "http://127.0.0.1:1/" : server.issuer;
      const fetched = vi.spyOn(globalThis, "fetch");
      onTestFinished(() => fetched.mockRestore());
      // Clients of other files in this process may still be fetching.
      const attempts = (): unknown[] =>
        fetched.mock.calls.filter(([url]) => String(url).startsWith(source));
      const forged = await server.token({}, { key: await makeKey("invented") });
      for (let i = 0; i < 30; i++) expect((await callWith(`Bearer ${forged}`)).status).toBe(503);
      expect(attempts()).toHaveLength(1);
      passTime(6000);
      expect((await callWith(`Bearer ${forged}`)).status).toBe(503);
      expect(attempts()).toHaveLength(2);
    },
  );

  it.each(["logout+jwt", "dpop+jwt", "secevent+jwt", "application/client-authentication+jwt"])(
    "are refused if they are of the type %s",
    async (typ) => {
      const { server, callWith } = await startGuarded();
      const { status, challenge } = await callWith(
        `Bearer ${await server.token({}, { header: { typ } })}`,
      );
      expect([status, challenge]).toEqual([401, expect.stringContaining("not an access token")]);
    },
  );

  it.each(["at+jwt", "application/at+jwt", "JWT", undefined])(
    "are accepted if they are of the type %s",
    async (typ) => {
      const { server, callWith } = await startGuarded();
      expect((await callWith(`Bearer ${await server.token({}, { header: { typ } })}`)).status).toBe(
        200,
      );
    },
  );

  it("may have scopes under either name, and scopes that others include (AUTH-08)", async () => {
    const { server, callWith } = await startGuarded({
      requiredScopes: ["notes:read"],
      scopeHierarchy: { "notes:admin": ["notes:write"], "notes:write": ["notes:read"] },
    });
    for (const claims of [
      { scope: "notes:admin" },
      { scp: ["notes:write"] },
      { scp: "x notes:read" },
    ]) {
      expect((await callWith(`Bearer ${await server.token(claims)}`)).status).toBe(200);
    }
    const { status, challenge } = await callWith(
      `Bearer ${await server.token({ scope: "constructor" })}`,
    );
    expect([status, challenge]).toEqual([403, expect.stringContaining('scope="notes:read"')]);
  });
});
