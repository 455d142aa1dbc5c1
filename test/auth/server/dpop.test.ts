import { describe, expect, it } from "vitest";
import { makeKey, proofFor, thumbprintOf } from "./authorization-server.js";
import { startGuarded, type GuardedServerOptions } from "./guarded-server.js";
import { ORIGIN } from "./raw-client.js";

/** Starts a server and issues a token that is bound to a key. */
const bound = async (given: GuardedServerOptions = {}) => {
  const parts = await startGuarded(given);
  const key = await makeKey("client");
  const token = await parts.server.token({ cnf: { jkt: await thumbprintOf(key) } });
  return { ...parts, key, token };
};

describe("tokens that are bound to a key", () => {
  it("are accepted with a proof, which is valid once", async () => {
    const { callWith, key, token } = await bound();
    const proof = await proofFor(token, key);
    expect((await callWith(`DPoP ${token}`, { DPoP: proof })).status).toBe(200);
    const again = await callWith(`DPoP ${token}`, { DPoP: proof });
    expect([again.status, again.challenge]).toEqual([
      401,
      expect.stringContaining(
        'DPoP error="invalid_dpop_proof", error_description="The proof was used before"',
      ),
    ]);
    expect((await callWith(`DPoP ${token}`, { DPoP: await proofFor(token, key) })).status).toBe(
      200,
    );
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
    const { callWith, key, token } = await bound();
    const { status } = await callWith(`DPoP ${token}`, { DPoP: await proofFor(token, key, parts) });
    expect(status).toBe(401);
  });

  it("are refused without a proof, as Bearer, with two proofs, and with another client's key", async () => {
    const { callWith, key, token } = await bound();
    const proof = await proofFor(token, key);
    const thief = await makeKey("thief");
    expect((await callWith(`DPoP ${token}`)).status).toBe(401);
    expect((await callWith(`Bearer ${token}`, { DPoP: proof })).status).toBe(401);
    // Refused with 400 before authentication, like any repeated field that may have only one value.
    expect((await callWith(`DPoP ${token}`, { DPoP: `${proof}, ${proof}` })).status).toBe(400);
    expect((await callWith(`DPoP ${token}`, { DPoP: await proofFor(token, thief) })).status).toBe(
      401,
    );
  });

  it.each([
    ["empty", ""],
    ["a number", 7],
    ["of 8 kB", "x".repeat(8192)],
  ])("are refused with a proof whose id is %s", async (_, jti) => {
    const { callWith, key, token } = await bound();
    const { status, challenge } = await callWith(`DPoP ${token}`, {
      DPoP: await proofFor(token, key, { jti: jti as string }),
    });
    expect([status, challenge]).toEqual([401, expect.stringContaining("invalid_dpop_proof")]);
  });

  it("are the only accepted ones if an option says so", async () => {
    const { server, callWith, key, token } = await bound({ requireDpop: true });
    expect((await callWith()).challenge).toMatch(
      /^DPoP algs="ES256 EdDSA PS256 RS256", resource_metadata/,
    );
    expect((await callWith(`Bearer ${await server.token()}`)).status).toBe(401);
    expect((await callWith(`DPoP ${await server.token()}`, { DPoP: "x" })).status).toBe(401);
    expect((await callWith(`DPoP ${token}`, { DPoP: await proofFor(token, key) })).status).toBe(
      200,
    );
  });
});
