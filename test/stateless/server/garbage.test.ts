import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { bundle } from "../../support/bundle.js";
import { runOrThrow } from "../../support/run.js";
import { SHARED } from "../../support/shared-folder.js";

const source = fileURLToPath(new URL("support/garbage-program.ts", import.meta.url));
const program = join(process.env[SHARED]!, "garbage-program.mjs");

/** The bytes that each call uses, in addition to what the runtime uses. */
const SIZE = 10_000;

/** Measures in a process of its own, because what other tests leave in a heap changes when it is collected. */
async function left(...args: string[]): Promise<number> {
  return Number(await runOrThrow(process.execPath, ["--expose-gc", program, `${SIZE}`, ...args]));
}

beforeAll(async () => {
  await bundle(source, program);
});

test("requests in progress at the same time are not kept until a full garbage collection", async () => {
  expect(await left()).toBeLessThan(0.6 * SIZE);
});

test("the measurement sees what calls keep", async () => {
  expect(await left("kept")).toBeGreaterThan(0.8 * SIZE);
});
