import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bundle } from "../../behaviour/support/bundle.js";
import { ASKING_HANDLERS, forgetWork } from "./support/asking-tools.js";
import { Fleet } from "./support/fleet.js";
import { serve } from "./support/serve.js";
import { StdioInstance } from "./support/stdio-instance.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-rounds-"));
const program = join(folder, "asking.mjs");

beforeAll(forgetWork);
beforeAll(() => bundle("test/stateless/rounds/support/asking-program.ts", program));
afterAll(() => rmSync(folder, { recursive: true }));

function fleet(size: number): Fleet {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
  const one = new Fleet(() => new StdioInstance(program, key), size);
  onTestFinished(() => one.stop());
  return one;
}

const EXPECTED = {
  sequence: "1 Ada Paris 1 file:///work",
  parallel: "1 Ada Paris file:///work accept",
};

describe.each(Object.entries(EXPECTED))("%s (MRTR-19, MRTR-23)", (tool, text) => {
  test("work in one process", async () => {
    const { client } = await serve({}, { handlers: ASKING_HANDLERS });
    expect(await client.text(tool)).toBe(tool === "parallel" ? text.replace("1", "2") : text);
  });

  test("work in three processes in rotation", async () => {
    const three = fleet(3);
    expect(await three.text(tool)).toBe(text);
    expect(three.interim.length).toBe(tool === "sequence" ? 3 : 2);
  });

  test("work in processes that are killed after each response", async () => {
    const three = fleet(3);
    three.isDeadly = true;
    expect(await three.text(tool)).toBe(text);
    expect(three.count).toBeGreaterThan(4);
  });
});

test("processes without a shared key refuse (A12)", async () => {
  const [one, other] = [fleet(1), fleet(1)];
  const { result } = await one.tool("sequence");
  const { error } = await other.again("sequence", { result });
  expect(error.code).toBe(-32602);
});

test("onerror names what cooperating instances need (A12)", async () => {
  const handlers = { handlers: ASKING_HANDLERS };
  const [one, other] = [await serve({}, handlers), await serve({}, handlers)];
  const { result } = await one.client.tool("sequence");
  const { requestState } = result;
  await other.client.tool("sequence", { inputResponses: {}, requestState });
  const advice =
    /several instances need the same rounds\.keys, and one server and handler for all requests$/;
  expect(other.errors).toEqual([
    expect.objectContaining({ message: expect.stringMatching(advice) }),
  ]);
});
