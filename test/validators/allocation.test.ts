import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Protocol } from "../../generator/link/protocol.js";
import { protocolOf } from "../generator/bundled-protocols.js";
import { withValidatorsFile } from "./build.js";
import { Interpreter } from "./interpreter.js";
import { Variants } from "./variants.js";

const script = fileURLToPath(
  new URL("../fixtures/validators/measure-allocation.mjs", import.meta.url),
);

/**
 * The number of attempts. If many object shapes pass through one place, the engine's caches may collide, depending on
 * addresses, and allocate on every call. Allocations in the validators themselves show in every process.
 */
const ATTEMPTS = 6;

test("validators and classify allocate nothing on success", { timeout: 120_000 }, async () => {
  const protocol = protocolOf("2026-07-28");
  const declared = new Set(protocol.declarations.map(({ name }) => name));
  const variants = new Variants(protocol.declarations, new Interpreter(protocol.declarations));
  const types = protocol.methods.flatMap(({ params, result }) => [params?.type, result?.type]);
  const samples = [...new Set(types)].flatMap((type) =>
    type === undefined || !declared.has(type) ? [] : [{ type, value: variants.of(type).at(-1) }],
  );
  samples.push({ type: "classify", value: { jsonrpc: "2.0", id: 1, method: "ping" } });
  let left = samples;
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
    const { "(an object)": reference, ...allocated } = await measure(protocol, left);
    expect(reference).toBeGreaterThan(10);
    expect(Object.keys(allocated)).toEqual(left.map(({ type }) => type));
    left = left.filter(({ type }) => allocated[type]! > 1);
  }
  expect(left.map(({ type }) => type)).toEqual([]);
});

function measure(protocol: Protocol, samples: readonly object[]): Promise<Record<string, number>> {
  return withValidatorsFile(protocol, (path) => {
    const samplesPath = `${path}.samples.json`;
    writeFileSync(samplesPath, JSON.stringify(samples));
    const flags = ["--expose-gc", "--max-semi-space-size=64"];
    const args = [...flags, script, path, samplesPath];
    const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
    return JSON.parse(printed) as Record<string, number>;
  });
}
