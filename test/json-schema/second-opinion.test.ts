import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { type Dialect, jsonSchemas } from "../../runtime/json-schema/index.js";
import { cases } from "./corpus.js";
import { disagreements } from "./disagreements.js";

const dialects = { "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 } as const;

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  3,
  1e300,
  "",
  "a",
  "abc",
  "äöü😀",
  "2025-11-25",
  "user@example.com",
  [],
  [1],
  [1, 1],
  [1, "a"],
  [[1], [1]],
  ["a", "b", "c"],
  [{ a: 1 }, { a: 1 }],
  {},
  { a: 1 },
  { a: "x" },
  { b: 1 },
  { a: 1, b: 2 },
  { a: 1, b: "x", c: null },
  { a: { a: { a: 1 } } },
  { a: [1, "x"], next: { next: {} } },
  JSON.parse('{"__proto__": 1, "constructor": "a"}'),
];

const json = (value: unknown): string => JSON.stringify(value);

type Verdict = "yes" | "no" | "refused";

function ours(dialect: Dialect, schema: object): (value: unknown) => Verdict {
  try {
    const check = jsonSchemas({ dialect })(schema);
    return (value) => (check(value) === undefined ? "yes" : "no");
  } catch {
    return () => "refused";
  }
}

function theirs(dialect: keyof typeof dialects, schema: object): (value: unknown) => Verdict {
  const ajv = new dialects[dialect]({ strict: false, ownProperties: true, logger: false });
  formats.default(ajv as Ajv);
  try {
    const validate = ajv.compile(schema);
    return (value) => (validate(value) ? "yes" : "no");
  } catch {
    return () => "refused";
  }
}

describe.each(Object.keys(dialects) as (keyof typeof dialects)[])("ajv agrees at %s", (dialect) => {
  const known = disagreements.filter((entry) => entry.dialects.includes(dialect));

  it.each(cases)("about $name", ({ name, schema }) => {
    const [mine, other] = [ours(dialect, schema), theirs(dialect, schema)];
    const found = values.filter((value) => mine(value) !== other(value)).map(json);
    const expected = known.find((entry) => entry.name === name)?.values ?? [];
    expect(found).toEqual(expected === "all" ? values.map(json) : expected);
  });

  it("has no unexplained and no stale entries in its ledger", () => {
    const names = new Set(cases.map(({ name }) => name));
    expect(known.filter((entry) => !names.has(entry.name))).toEqual([]);
    expect(known.filter((entry) => entry.why === "")).toEqual([]);
  });
});
