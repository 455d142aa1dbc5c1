/**
 * A test case for implementations of a store interface. It can be used with any test runner: `run` rejects if the
 * implementation fails.
 *
 * @typeParam Options - the options that a case passes when it creates a store
 */
export interface StoreCase<Store, Options = object> {
  /** A sentence about what the store does. */
  readonly name: string;
  /**
   * Runs the case.
   *
   * @param make - creates one instance's store; all stores in a run share their content, and each run uses new ids
   */
  run(make: MakeStore<Store, Options>): Promise<void>;
}

/** A function that creates one instance's store. */
export type MakeStore<Store, Options = object> = (options?: Options) => Store | Promise<Store>;

export function casesOf<Store, Options = object>(
  cases: Readonly<Record<string, (make: MakeStore<Store, Options>) => Promise<void>>>,
): readonly StoreCase<Store, Options>[] {
  return Object.entries(cases).map(([name, run]) => ({ name, run }));
}

/** The limits, and the lifetimes in milliseconds, that `SharedStores` cases require. */
export interface SharedCaseOptions {
  readonly sessionTtl?: number | undefined;
  readonly eventTtl?: number | undefined;
  readonly maxEvents?: number | undefined;
}

const TIMEOUT = 5000;
const INTERVAL = 10;

export function equal(actual: unknown, expected: unknown, about: string): void {
  const [found, wanted] = [plain(actual), plain(expected)];
  if (found !== wanted) throw new Error(`${about}: expected ${wanted}, but it is ${found}`);
}

export async function becomes(
  read: () => unknown,
  expected: unknown,
  about: string,
): Promise<void> {
  const end = performance.now() + TIMEOUT;
  for (;;) {
    const actual = await read();
    if (plain(actual) === plain(expected)) return;
    if (performance.now() > end) return equal(actual, expected, about);
    await pause(INTERVAL);
  }
}

export async function fails(work: () => unknown, name: string, about: string): Promise<void> {
  try {
    await work();
  } catch (error) {
    return equal((error as Error).name, name, about);
  }
  throw new Error(`${about}: it should have failed`);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export function newId(): string {
  return crypto.randomUUID();
}

function plain(value: unknown): string {
  return JSON.stringify(value, sorted) ?? "undefined";
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
