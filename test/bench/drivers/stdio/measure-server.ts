import assert from "node:assert/strict";
import { Program } from "../../core/program.js";
import type { Effort } from "../../core/section.js";
import { type Kind, open, paramsOf } from "./conversation.js";
import { extentOf, type Load, Pipeline } from "./pipeline.js";
import type { Server } from "./servers.js";

/** Measures the CPU microseconds that a fresh, warmed-up server spends on each request of the load. */
export function cpuOfServer(
  { launch, isUnchecked }: Server,
  kind: Kind,
  load: Load,
  effort: Effort,
): Promise<number> {
  return Program.use(launch, async (program) => {
    const pipeline = new Pipeline(program.child.stdin!, program.child.stdout!);
    await open(pipeline, kind);
    if (!isUnchecked) await expectCheckedArguments(pipeline, kind);
    const sent = { ...load, params: paramsOf(kind, load.params) };
    await pipeline.drive(sent, extentOf(effort));
    const before = await program.usage();
    const requests = await pipeline.drive(sent, { time: effort.measured });
    const after = await program.usage();
    return (after.cpu - before.cpu) / requests;
  });
}

async function expectCheckedArguments(pipeline: Pipeline, kind: Kind): Promise<void> {
  const wrong = paramsOf(kind, { name: "echo", arguments: { text: 7 } });
  const { result, error } = await pipeline.ask("tools/call", wrong);
  assert.ok(error !== undefined || result?.["isError"] === true, "arguments are not checked");
}
