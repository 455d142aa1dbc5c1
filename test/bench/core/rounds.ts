/** The figures of one contestant in one round, by name. */
export type Figures = Readonly<Record<string, number>>;

export interface Contestant {
  readonly name: string;
  /** Runs one round: starts whatever it measures, and ends it. */
  measure(): Promise<Figures>;
}

/** The figures of each contestant, round by round. */
export type Rounds = ReadonlyMap<string, readonly Figures[]>;

/**
 * Measures all contestants in turn, round after round, so that a slow phase of the machine affects all of them. Each
 * round starts with a different contestant.
 */
export async function interleave(
  contestants: readonly Contestant[],
  rounds: number,
): Promise<Rounds> {
  const seen = new Map<string, Figures[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const { name, measure } = contestants[(round + turn) % contestants.length]!;
      seen.get(name)!.push(await measure());
    }
  }
  return seen;
}

/** Returns the values of one figure, round by round, or undefined for a contestant without that figure. */
export function valuesOf(rounds: Rounds, contestant: string, figure: string) {
  const values = rounds.get(contestant)?.map((figures) => figures[figure]);
  return values?.every((value) => value !== undefined) ? values : undefined;
}

/** Returns the ratio within each round, whose two sides were measured within seconds of each other. */
export function ratio(above: readonly number[], below: readonly number[]): readonly number[] {
  if (above.length !== below.length) throw new Error("A ratio needs the same rounds on both sides");
  return above.map((value, round) => value / below[round]!);
}

export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function summary(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median =
    sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}
