import assert from "node:assert/strict";
import type { Depth, SectionResult } from "../core/section.js";
import { Program } from "../core/program.js";
import { open } from "../drivers/stdio/conversation.js";
import { Pipeline } from "../drivers/stdio/pipeline.js";
import { type Growing, ratioOf, type Shown, type Times } from "./growth-grown.js";
import { growthResult, type Promised } from "./growth-result.js";

const TEXT = "Good morning, everybody";
const fewest = 10;
const most = 10_000;
const revision = "2025-11-25";

/** As many calls at least, however slow the machine is: what is compiled depends on them. */
const WARM_UP_CALLS = 20_000;
const FEWEST_CALLS = 5000;
const LONGEST = 15_000;
const extentOf = (time: number, requests: number) => ({ time, requests, longest: LONGEST });

const files: Record<string, string> = {
  limit: "limit.mjs",
  [revision]: "pinned.mjs",
  universal: "universal.mjs",
  "sdk 2.4": "sdk-2.mjs",
};
const ours = [revision, "universal"];

/** Microseconds of the server for each call of the tool that was registered last. */
async function cost(file: string, tools: number, times: Times): Promise<number> {
  const program = new Program(`programs/growth/${file}`, { TOOLS: String(tools) });
  const pipeline = new Pipeline(program.child.stdin!, program.child.stdout!);
  const load = {
    method: "tools/call",
    params: { name: `tool-${tools - 3}`, arguments: { text: TEXT, times: 2, tone: "calm" } },
    check: (result: unknown) =>
      assert.deepEqual(result, { content: [{ type: "text", text: TEXT }] }),
  };
  try {
    await open(pipeline, revision);
    await pipeline.drive(load, extentOf(times.warmUp, WARM_UP_CALLS));
    const before = await program.usage();
    const { requests } = await pipeline.drive(load, extentOf(times.measured, FEWEST_CALLS));
    const after = await program.usage();
    return (after.cpu - before.cpu) / (requests + 1);
  } finally {
    await program.end();
  }
}

function growing(name: string, sizes: readonly number[], times: Times): Growing {
  return { name, sizes, measure: (size) => cost(files[name]!, size, times) };
}

export async function growthOfTools(
  depth: Depth,
  times: Times,
  rounds: number,
): Promise<SectionResult> {
  const isFull = depth === "full";
  const sizes = isFull ? [fewest, 100, 1000, most] : [fewest, most];
  const shown = Object.keys(files).filter((name) => isFull || ours.includes(name));
  const how: Shown = {
    name: "growth-tools",
    title: "CPU of the server for each call, by registered tools",
    unit: "µs",
    sizes,
    of: "tools",
  };
  const promised: Promised = {
    what: "CPU per call with 10,000 tools, against 10",
    of: ours,
    headline: revision,
    value: (grown, name) => ratioOf(grown, name, most, fewest),
  };
  const contestants = shown.map((name) => growing(name, sizes, times));
  return growthResult(contestants, rounds, how, promised, [
    "With many tools it is the one that was registered last that is called, over stdio.",
  ]);
}
