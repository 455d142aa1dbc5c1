import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../support/run.js";
import { register } from "./runners/ten-tests.mjs";

describe("the kit under vitest", () => register(it));

describe("the kit under node:test", () => {
  const file = join(import.meta.dirname, "runners/node.test.mjs");
  // A Node test run that is not the child of another one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;

  it("passes ten tests", async () => {
    const { code, stdout } = await run(process.execPath, ["--test", file], { env });
    expect(stdout).toMatch(/^# pass 10$/m);
    expect(code).toBe(0);
  });

  it("fails with pointer, expected and received value", async () => {
    const more = { ...env, KIT_FAILS: "1" };
    const { code, stdout } = await run(process.execPath, ["--test", file], { env: more });
    expect(stdout).toContain('/content: expected permission, received "no such file"');
    expect(stdout).toMatch(/^not ok \d+ - shows what failed before an unused answer: accept$/m);
    expect(stdout).toContain("code: 'ERR_ASSERTION'");
    for (const text of ["accept", "decline"])
      expect(stdout).toMatch(new RegExp(`answer: ${text}".*for the answer .*"unused":"${text}"`));
    expect(code).toBe(1);
  });
});
