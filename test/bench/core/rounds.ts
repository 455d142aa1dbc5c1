import type { Seen } from "./section.js";

export interface Contestant<Figures extends string> {
  readonly name: string;
  /** One round, from the start of a process to its end. */
  measure(): Promise<Record<Figures, number>>;
}

/**
 * Measures all contestants in turn, round after round, so that what slows the machine down for a while meets all of them.
 * The first contestant of a round is another one each time.
 * @returns by contestant and figure
 */
export async function interleave<Figures extends string>(
  contestants: readonly Contestant<Figures>[],
  rounds: number,
): Promise<Map<string, Record<Figures, Seen>>> {
  const seen = new Map<string, Record<Figures, number>[]>(
    contestants.map(({ name }) => [name, []]),
  );
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const { name, measure } = contestants[(round + turn) % contestants.length]!;
      seen.get(name)!.push(await measure());
    }
  }
  return new Map([...seen].map(([name, figures]) => [name, summarised(figures)]));
}

function summarised<Figures extends string>(
  rounds: readonly Record<Figures, number>[],
): Record<Figures, Seen> {
  const names = Object.keys(rounds[0] ?? {}) as Figures[];
  const entries = names.map((name) => [name, summary(rounds.map((round) => round[name]))]);
  return Object.fromEntries(entries) as Record<Figures, Seen>;
}

export function summary(values: readonly number[]): Seen {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median =
    sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)!, rounds: sorted.length };
}
