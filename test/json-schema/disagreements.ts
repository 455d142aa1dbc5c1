import type { Dialect } from "../../runtime/json-schema/index.js";

interface Disagreement {
  readonly name: string;
  readonly dialects: readonly Dialect[];
  readonly why: string;
  /** The values, as JSON, about which the two disagree. */
  readonly values: "all" | readonly string[];
}

/** Disagreements with ajv, each with the reason why our verdict may stand. */
export const disagreements: readonly Disagreement[] = [
  {
    name: "reference beside others",
    dialects: ["draft-07"],
    why: "draft-07 ignores what is beside $ref; ajv does not",
    values: ["0", "-1", "1", "1.5"],
  },
  {
    name: "anchor",
    dialects: ["draft-07"],
    why: "draft-07 has no $anchor, so that the reference leads nowhere; ajv has it in all dialects",
    values: "all",
  },
  {
    name: "embedded $id",
    dialects: ["draft-07"],
    why: "the $id is beside a $ref, where draft-07 ignores it; ajv does not",
    values: "all",
  },
  {
    name: "dynamic reference",
    dialects: ["2019-09"],
    why: "2019-09 has no $dynamicRef; ajv follows it",
    values: [
      '{"a":"x"}',
      '{"a":1,"b":"x","c":null}',
      '{"a":[1,"x"],"next":{"next":{}}}',
      '{"__proto__":1,"constructor":"a"}',
    ],
  },
  {
    name: "recursive reference",
    dialects: ["2020-12"],
    why: "2020-12 has no $recursiveAnchor, which is ignored; ajv takes it for an invalid schema",
    values: "all",
  },
  {
    name: "unevaluatedProperties",
    dialects: ["2019-09", "2020-12"],
    why: "ajv takes names of Object.prototype for evaluated",
    values: ['{"__proto__":1,"constructor":"a"}'],
  },
  {
    name: "unevaluatedProperties of alternatives",
    dialects: ["2019-09", "2020-12"],
    why: "ajv takes names of Object.prototype for evaluated",
    values: ['{"__proto__":1,"constructor":"a"}'],
  },
];
