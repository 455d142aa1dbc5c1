/** Longest time that a store may take until something is so, in milliseconds. */
const PATIENCE = 5000;
/** Milliseconds between two looks. */
const LOOK = 10;

/** @throws Error when two values are not the same as JSON, whatever the order of members */
export function equal(actual: unknown, expected: unknown, about: string): void {
  const [found, wanted] = [plain(actual), plain(expected)];
  if (found !== wanted) throw new Error(`${about}: expected ${wanted}, but it is ${found}`);
}

/** Waits until a value is as expected. @throws Error when it is not within some seconds */
export async function becomes(
  look: () => unknown,
  expected: unknown,
  about: string,
): Promise<void> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const actual = await look();
    if (plain(actual) === plain(expected)) return;
    if (performance.now() > end) return equal(actual, expected, about);
    await pause(LOOK);
  }
}

/** @throws Error when what is done does not fail with an error of that name */
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

/** Id that no other run has. */
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
