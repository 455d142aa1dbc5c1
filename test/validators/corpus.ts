import type { Protocol } from "../../generator/link/protocol.js";
import type { Declaration } from "../../generator/model/schema-model.js";
import { Interpreter } from "./interpreter.js";
import { mutations, randomMutations } from "./mutations.js";
import { Variants } from "./variants.js";

/** A JSON value and its origin. */
export interface Sample {
  readonly type: string;
  readonly label: string;
  readonly value: unknown;
  /** True if the value was built to be valid; mutations may be either. */
  readonly built: boolean;
}

/** Returns values near the border between valid and invalid for every declared type. They are the same on every run. */
export function corpus({ declarations }: Protocol): Sample[] {
  const interpreter = new Interpreter(declarations);
  const variants = new Variants(declarations, interpreter);
  return declarations
    .filter(({ kind }: Declaration) => kind !== "const")
    .flatMap(({ name }) => samplesOf(name, variants.of(name)));
}

function samplesOf(type: string, valid: readonly unknown[]): Sample[] {
  const largest = valid.at(-1);
  const samples: Sample[] = [
    ...valid.map((value, index) => ({ type, label: `variant ${index}`, value, built: true })),
    ...ATOMS.map((value) => ({ type, label: "atom", value, built: false })),
    ...mutations(largest).map((mutation) => ({ type, ...mutation, built: false })),
    ...mutations(valid[0]).map((mutation) => ({ type, ...mutation, built: false })),
    ...randomMutations(largest, type).map((mutation) => ({ type, ...mutation, built: false })),
  ];
  return [...new Map(samples.map((sample) => [JSON.stringify(sample.value), sample])).values()];
}

const ATOMS: readonly unknown[] = [
  null,
  true,
  0,
  1.5,
  -1,
  101,
  "",
  "x",
  [],
  [null],
  {},
  { a: null },
];
