import { Random } from "../support/random.js";

export interface Mutation {
  readonly label: string;
  readonly value: unknown;
}

type Path = readonly (string | number)[];

/** The replacements for a value: every kind of JSON value, and numbers at the usual limits. */
const REPLACEMENTS: readonly unknown[] = [
  null,
  true,
  false,
  "",
  "something else",
  "2.0",
  0,
  1,
  -1,
  0.5,
  1.5,
  1e300,
  [],
  [0.5],
  [null],
  ["text"],
  {},
  { inner: null },
  { inner: { inner: 0.5 } },
];

/** Returns the value with each of its parts removed and replaced in turn, and with surplus members. */
export function mutations(value: unknown): Mutation[] {
  const found: Mutation[] = [];
  for (const path of pathsOf(value)) {
    const place = path.join(".");
    for (const replacement of REPLACEMENTS) {
      found.push({ label: `${place} replaced`, value: changed(value, path, () => replacement) });
    }
    if (path.length > 0) found.push({ label: `${place} removed`, value: removed(value, path) });
    found.push({ label: `${place} extended`, value: changed(value, path, extended) });
  }
  return found;
}

/** Returns mutations with two or three changes at once, at places that depend only on the seed. */
export function randomMutations(value: unknown, seed: string): Mutation[] {
  const random = new Random(seed);
  const found: Mutation[] = [];
  for (let round = 0; round < 24; round++) {
    let current = value;
    for (let step = 0; step <= 1 + random.below(2); step++) {
      const path = random.pick(pathsOf(current));
      const remove = path.length > 0 && random.below(3) === 0;
      const replacement = random.pick(REPLACEMENTS);
      current = remove ? removed(current, path) : changed(current, path, () => replacement);
    }
    found.push({ label: `random ${round}`, value: current });
  }
  return found;
}

/** The maximum number of places per value, so that large unions do not explode. */
const MOST_PATHS = 40;

function pathsOf(value: unknown): Path[] {
  const paths: Path[] = [];
  const queue: { path: Path; value: unknown }[] = [{ path: [], value }];
  for (let next = queue.shift(); next && paths.length < MOST_PATHS; next = queue.shift()) {
    const { path, value: current } = next;
    paths.push(path);
    if (typeof current !== "object" || current === null) continue;
    const keys = Array.isArray(current) ? [...current.keys()].slice(0, 3) : Object.keys(current);
    queue.push(
      ...keys.map((key) => ({
        path: [...path, key],
        value: (current as Record<string, unknown>)[key],
      })),
    );
  }
  return paths;
}

function changed(
  value: unknown,
  [key, ...rest]: Path,
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === key ? changed(item, rest, change) : item,
    );
  }
  const object = value as Record<string, unknown>;
  return { ...object, [key]: changed(object[key], rest, change) };
}

function removed(value: unknown, path: Path): unknown {
  const last = path.at(-1)!;
  return changed(value, path.slice(0, -1), (owner) => {
    if (Array.isArray(owner)) return owner.toSpliced(last as number, 1);
    const { [last]: _, ...rest } = owner as Record<string, unknown>;
    return rest;
  });
}

function extended(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value, { surplus: true }];
  if (typeof value === "object" && value !== null) return { ...value, surplus: [null, 0.5] };
  return [value];
}
