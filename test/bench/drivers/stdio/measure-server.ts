import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Program } from "../../core/program.js";
import type { Case } from "./cases.js";
import { open, paramsOf, type Revision } from "./conversation.js";
import { type Extents, extentOf } from "./extents.js";
import { Pipeline } from "./pipeline.js";

const GRACE = 1000;

export interface Server {
  readonly name: string;
  /** Below `programs/stdio`. */
  readonly file: string;
  readonly env?: Record<string, string>;
  readonly revision: Revision;
  /** The limit checks nothing. */
  readonly isUnchecked?: boolean;
}

export type ServerFigure = "cpu" | "perSecond" | "rss";

/** One process: warmed up, then measured. */
export async function measureServer(
  server: Server,
  { env, check, method, params }: Case,
  { warmUp, measured }: Extents,
  nodeArgs: readonly string[] = [],
): Promise<Record<ServerFigure, number>> {
  const program = new Program(`programs/stdio/${server.file}`, { ...server.env, ...env }, nodeArgs);
  const pipeline = new Pipeline(program.child.stdin!, program.child.stdout!);
  try {
    await open(pipeline, server.revision);
    if (!server.isUnchecked) await expectCheckedArguments(pipeline, server.revision);
    const load = { method, params: paramsOf(server.revision, params), check };
    await pipeline.drive(load, extentOf(warmUp));
    const before = await program.usage();
    const { requests, seconds } = await pipeline.drive(load, extentOf(measured));
    const after = await program.usage();
    const rss = after.maxRss / 2 ** 20;
    return { cpu: (after.cpu - before.cpu) / (requests + 1), perSecond: requests / seconds, rss };
  } catch (cause) {
    throw new Error(`${server.name} at ${server.revision}: ${(cause as Error).message}`, { cause });
  } finally {
    if (nodeArgs.length > 0) await inOrder(program);
    await program.end();
  }
}

/** Ends by itself, if it can, so that `--cpu-prof` writes its profile. */
async function inOrder({ child }: Program): Promise<void> {
  if (child.exitCode !== null) return;
  child.stdin!.end();
  await Promise.race([once(child, "exit"), setTimeout(GRACE, undefined, { ref: false })]);
}

async function expectCheckedArguments(pipeline: Pipeline, revision: Revision): Promise<void> {
  const wrong = paramsOf(revision, { name: "echo", arguments: { text: 7 } });
  const { result, error } = await pipeline.ask("tools/call", wrong);
  assert.ok(error !== undefined || result?.["isError"] === true, "arguments are not checked");
}
