import { Program } from "../core/program.js";
import type { Depth, SectionResult } from "../core/section.js";
import { Messages } from "../drivers/growth/messages.js";
import { open } from "../drivers/stdio/conversation.js";
import { Pipeline } from "../drivers/stdio/pipeline.js";
import { type Growing, type Grown, ratioOf, type Shown, type Times } from "./growth-grown.js";
import { growthResult, type Promised } from "./growth-result.js";

const revision = "2025-11-25";
const ours = [revision, "universal"];
const reference = 100_000;
const largest = 10_000_000;

const files: Record<string, string> = {
  limit: "limit.mjs",
  [revision]: "pinned.mjs",
  universal: "universal.mjs",
  "sdk 2.4": "sdk-2.mjs",
};

/** Nanoseconds of the server for each byte of the text that it is sent, and sends back. */
async function cost(file: string, size: number, times: Times): Promise<number> {
  const program = new Program(`programs/growth/${file}`);
  const { stdin, stdout } = program.child;
  try {
    await open(new Pipeline(stdin!, stdout!), revision);
    const messages = new Messages(stdin!, stdout!, size);
    await messages.check();
    await messages.drive(times.warmUp);
    const before = await program.usage();
    const answered = await messages.drive(times.measured);
    const after = await program.usage();
    await messages.check();
    return ((after.cpu - before.cpu) * 1000) / (answered * size);
  } finally {
    await program.end();
  }
}

function growing(name: string, sizes: readonly number[], times: Times): Growing {
  return { name, sizes, measure: (size) => cost(files[name]!, size, times) };
}

/** How much more a byte of the largest message costs, against the same of the limit. */
function againstLimit(grown: Grown, name: string): number {
  return ratioOf(grown, name, largest, reference) / ratioOf(grown, "limit", largest, reference);
}

export async function growthOfMessages(
  depth: Depth,
  times: Times,
  rounds: number,
): Promise<SectionResult> {
  const isFull = depth === "full";
  const sizes = isFull ? [1000, 10_000, reference, 1_000_000, largest] : [reference, largest];
  const shown = Object.keys(files).filter((name) => isFull || ["limit", revision].includes(name));
  const how: Shown = {
    name: "growth-messages",
    title: "CPU of the server for each byte, by the size of a message",
    unit: "ns",
    sizes,
    of: "bytes",
  };
  const promised: Promised = {
    what: "CPU per byte of 10 MB, against 100 KB, relative to the limit",
    of: ours,
    value: againstLimit,
  };
  const contestants = shown.map((name) => growing(name, sizes, times));
  return growthResult(contestants, rounds, how, promised, [
    "The size of a message is that of a text among its arguments, which comes back in the answer, over stdio. Ours are told to accept lines of 16 MiB: the default is 4 MiB.",
  ]);
}
