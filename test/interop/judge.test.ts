import { describe, expect, it } from "vitest";
import { judge, score } from "./core/judge.js";
import type { Step, Visit } from "./core/visit.js";
import { judgeDrive } from "./sections/clients.js";
import { lossesBeside } from "./sections/gateways.js";

const visit = (steps: Record<string, Step>): Visit => ({
  steps: { connect: { ok: true }, ...steps },
  reported: [],
});
const passed = { ok: true };
const failed = { ok: false, note: "no answer" };

describe("the judge of the interop run", () => {
  it("fails a step that an official client passes and our client does not", () => {
    const visits = { ours: visit({ read: failed }), official: { SDK: visit({ read: passed }) } };
    expect(judge(visits).failures).toEqual(["read: no answer (SDK: passes)"]);
    expect(judge({ ...visits, ours: visit({}) }).failures).toEqual([
      "read: not reached (SDK: passes)",
    ]);
  });

  it("fails a list in which our client finds less", () => {
    const visits = {
      ours: visit({ tools: { ok: true, count: 3 } }),
      official: { SDK: visit({ tools: { ok: true, count: 5 } }) },
    };
    expect(judge(visits).failures).toEqual(["tools: 3 (SDK: 5)"]);
  });

  it("passes a step that no client passes, or only our client, with a remark", () => {
    const { failures, remarks } = judge({
      ours: visit({ ping: failed, read: passed }),
      official: { SDK: visit({ ping: failed, read: failed }) },
    });
    expect(failures).toEqual([]);
    expect(remarks).toEqual(["nobody: ping: no answer", "SDK: read: no answer"]);
  });

  it("accepts an expected failure with its reason, and reports it when it no longer occurs", () => {
    const official = { SDK: visit({ read: passed }) };
    const expected = { read: "too long" };
    const still = judge({ ours: visit({ read: failed }), official }, expected);
    expect([still.failures, still.stale, still.remarks]).toEqual([[], [], ["read: too long"]]);
    const gone = judge({ ours: visit({ read: passed }), official }, expected);
    expect(gone.stale).toEqual([
      '"read" is expected to fail, but passes: remove it from the manifest',
    ]);
  });

  it("fails a server that no client can connect to", () => {
    const nothing: Visit = { steps: { connect: failed }, reported: [] };
    expect(judge({ ours: nothing, official: { SDK: nothing } }).failures).toEqual([
      "no client connects: no answer",
    ]);
  });

  it("counts passed steps", () => {
    expect(score(visit({ read: passed, ping: failed }))).toBe("2/3");
  });

  it("fails a check of an official client, unless it is omitted or expected", () => {
    const checks = { ping: failed, roots: { skipped: "until 2026-07-28" }, call: passed };
    const drive = { checks, reported: [] };
    expect(judgeDrive(drive, {}).failures).toEqual(["ping: no answer"]);
    expect(judgeDrive(drive, { ping: "a reason" }).failures).toEqual([]);
    expect(judgeDrive(drive, { ping: "a", call: "b" }).failures).toEqual([
      '"call" is expected to fail, but does not: remove it from the manifest',
    ]);
  });

  it("fails a step that a client fails only behind a gateway with our server", () => {
    const reference = { SDK: visit({ read: passed, ping: failed }) };
    const ours = { SDK: visit({ read: failed, ping: failed }) };
    expect(lossesBeside(ours, reference)).toEqual(["SDK with our server only: read: no answer"]);
  });
});
