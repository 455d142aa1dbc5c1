import { describe, expect, it } from "vitest";
import {
  PossessionProofs,
  type ProofLimits,
} from "../../../runtime/auth/server/possession-proofs.js";
import { makeKey, proofFor, RESOURCE, thumbprintOf } from "./authorization-server.js";
import { passTime } from "./guarded-server.js";

const TOKEN = "a-token";
const CLOCK_TOLERANCE = 5;
const FULL = { name: "InvalidProofError", message: expect.stringContaining("Too many proofs") };

/**
 * Returns a function that sends a proof with a new id, or with the given one, signed with the key of the given name.
 */
function proofs(limits?: ProofLimits) {
  const checks = new PossessionProofs(new URL(RESOURCE), CLOCK_TOLERANCE, limits);
  const keys = new Map<string, Awaited<ReturnType<typeof makeKey>>>();
  return async (name: string, jti: string = crypto.randomUUID()): Promise<void> => {
    const key = keys.get(name) ?? (await makeKey(name));
    keys.set(name, key);
    const proof = await proofFor(TOKEN, key, { jti });
    const header = (field: string) => (field === "dpop" ? proof : undefined);
    await checks.check(
      { scheme: "DPoP", token: TOKEN },
      { cnf: { jkt: await thumbprintOf(key) } },
      { method: "POST", path: "/mcp", header } as never,
    );
  };
}

describe("the proofs that a server remembers", () => {
  it("have a limit for each key, which others do not notice", async () => {
    const send = proofs({ total: 10, perKey: 2 });
    await send("one");
    await send("one");
    await expect(send("one")).rejects.toMatchObject(FULL);
    await send("other");
    await send("other");
    await expect(send("other")).rejects.toMatchObject(FULL);
    await send("third");
  });

  it("have a limit in total", async () => {
    const send = proofs({ total: 3, perKey: 2 });
    await send("one");
    await send("one");
    await send("other");
    await expect(send("other")).rejects.toMatchObject(FULL);
    await expect(send("third")).rejects.toMatchObject(FULL);
  });

  it("are forgotten when they have expired, and leave room for others", async () => {
    const send = proofs({ total: 3, perKey: 2 });
    await send("one");
    await send("one");
    await send("other");
    passTime(30_000);
    await expect(send("one")).rejects.toMatchObject(FULL);
    await expect(send("third")).rejects.toMatchObject(FULL);
    passTime(71_000);
    for (const name of ["one", "one", "third"]) await send(name);
    await expect(send("one")).rejects.toMatchObject(FULL);
  });

  it("are remembered for as long as a proof is valid, with the tolerance of clocks", async () => {
    const send = proofs();
    await send("one", "id");
    await expect(send("one", "id")).rejects.toThrow("used before");
    passTime(69_000);
    await expect(send("one", "id")).rejects.toThrow("used before");
  });

  it("are told apart by their key and by their whole id", async () => {
    const send = proofs();
    await send("one", "x".repeat(512));
    await send("one", `${"x".repeat(511)}y`);
    await send("other", "x".repeat(512));
    await expect(send("other", "x".repeat(512))).rejects.toThrow("used before");
  });
});
