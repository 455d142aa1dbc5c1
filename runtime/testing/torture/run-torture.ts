import type { OuterTarget } from "../doctor/conversation.js";
import { FRAMING_CASES } from "./framing-cases.js";
import { HTTP_CASES, MESSAGE_CASES } from "./message-cases.js";
import { openHttpVictim } from "./http-victim.js";
import { openProcessVictim } from "./process-victim.js";
import type { TortureCase } from "./torture-case.js";

/** All cases, in the order in which they run. */
export const TORTURE_CASES: readonly TortureCase[] = [
  ...FRAMING_CASES,
  ...MESSAGE_CASES,
  ...HTTP_CASES,
];

export interface TortureOptions {
  /** The ids of the cases to run. Default: all cases for the transport. */
  readonly only?: readonly string[] | undefined;
  /** The seed for cases that make random choices. Default: 1. */
  readonly seed?: number | undefined;
  /** The maximum time to wait for each response, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** Called with the id of each case before it runs. */
  readonly onstep?: ((id: string) => void) | undefined;
}

/** The result of one case. */
export interface TortureOutcome {
  readonly id: string;
  readonly sentence: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** The reason why the case failed; undefined if it passed or was skipped. */
  readonly message?: string | undefined;
  readonly ms: number;
}

/**
 * Runs the cases against a server, one after another and each in a separate conversation.
 *
 * @throws Error if the server cannot be opened
 */
export async function torture(
  target: OuterTarget,
  options: TortureOptions = {},
): Promise<readonly TortureOutcome[]> {
  const { only, seed = 1, timeout = 10_000, onstep } = options;
  const transport = "url" in target ? "http" : "stdio";
  const chosen = TORTURE_CASES.filter(({ id }) => only === undefined || only.includes(id));
  const outcomes: TortureOutcome[] = [];
  for (const one of chosen) {
    onstep?.(one.id);
    const fits = one.transport === "both" || one.transport === transport;
    const { id, sentence } = one;
    if (!fits) {
      if (only !== undefined) outcomes.push({ id, sentence, outcome: "skipped", ms: 0 });
      continue;
    }
    const start = performance.now();
    const message = await attempt(one, target, seed, timeout);
    const ms = Math.round(performance.now() - start);
    outcomes.push({
      id,
      sentence,
      outcome: message === undefined ? "passed" : "failed",
      message,
      ms,
    });
  }
  return outcomes;
}

async function attempt(
  one: TortureCase,
  target: OuterTarget,
  seed: number,
  timeout: number,
): Promise<string | undefined> {
  const victim =
    "url" in target
      ? await openHttpVictim(target, timeout)
      : await openProcessVictim(target, timeout);
  try {
    const before = victim.memory();
    const pieces = one.pieces({ ...victim.context, random: randomOf(seed) });
    const { responses, isAlive } = await victim.attack(pieces, one);
    if (!isAlive) {
      const how = victim.ended();
      return how === undefined ? "it does not answer any more" : `it ended: ${how}`;
    }
    const after = victim.memory();
    const grown = before === undefined || after === undefined ? 0 : after - before;
    if (one.memory !== undefined && grown > one.memory) {
      return `its memory has grown by ${Math.round(grown)} MiB`;
    }
    return one.judge?.(responses);
  } finally {
    await victim.close();
  }
}

/** Returns a generator whose random numbers depend only on the seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
