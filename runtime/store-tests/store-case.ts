/**
 * Case of a test that every implementation of an interface passes, for any test runner: `run` rejects when one does not.
 *
 * @typeParam Options - what a case needs its stores made with
 */
export interface StoreCase<Store, Options = object> {
  /** Sentence about the store. */
  readonly name: string;
  /**
   * @param make - makes the store of one instance; the stores of one run share what they keep, and ids are new in each run
   */
  run(make: MakeStore<Store, Options>): Promise<void>;
}

/** Makes the store of one instance. */
export type MakeStore<Store, Options = object> = (options?: Options) => Store | Promise<Store>;

/** The cases as they are written: a name, and what is run. */
export function casesOf<Store, Options = object>(
  cases: Readonly<Record<string, (make: MakeStore<Store, Options>) => Promise<void>>>,
): readonly StoreCase<Store, Options>[] {
  return Object.entries(cases).map(([name, run]) => ({ name, run }));
}
