import { describe, expect, test } from "vitest";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { explainerOf, validatorsOf } from "./build.js";
import { corpus } from "./corpus.js";
import { Interpreter } from "./interpreter.js";

describe.each(bundled)("the validators of %s", (revision) => {
  const protocol = protocolOf(revision);
  const samples = corpus(protocol);
  const interpreter = new Interpreter(protocol.declarations);

  test("accept valid values", async () => {
    const validators = await validatorsOf(protocol);
    const refused = samples.filter(({ type, value, built }) => built && !validators[type]!(value));
    expect(refused).toEqual([]);
  });

  test("agree with an interpreter of the schema, with and without a trace", async () => {
    const validators = await validatorsOf(protocol);
    const different = samples.filter(({ type, value }) => {
      const wanted = interpreter.accepts(type, value);
      const trace = [] as never[];
      return (
        validators[type]!(value) !== wanted ||
        validators[type]!(value, trace) !== wanted ||
        (trace.length === 0) !== wanted
      );
    });
    expect(different).toEqual([]);
  });

  test("agree with the descriptions, which find an issue exactly if the test rejects", async () => {
    const validators = await validatorsOf(protocol);
    const explain = await explainerOf(protocol);
    const different = samples.filter(
      ({ type, value }) => validators[type]!(value) !== (explain(type, value).length === 0),
    );
    expect(different).toEqual([]);
  });

  test("see valid and invalid values of every type", async () => {
    const verdicts = new Map<string, Set<boolean>>();
    for (const { type, value } of samples) {
      verdicts.set(type, (verdicts.get(type) ?? new Set()).add(interpreter.accepts(type, value)));
    }
    const types = protocol.declarations.filter(({ kind }) => kind !== "const");
    expect([...verdicts.keys()]).toEqual(types.map(({ name }) => name));
    const oneSided = [...verdicts].filter(([, seen]) => seen.size < 2).map(([type]) => type);
    expect(oneSided.filter((type) => !ANY_JSON.has(type))).toEqual([]);
    expect(samples.length).toBeGreaterThan(types.length * 20);
  });

  test("leave values unchanged", async () => {
    const validators = await validatorsOf(protocol);
    for (const { type, value } of samples.filter(({ built }) => built)) {
      const before = JSON.stringify(value);
      validators[type]!(freeze(value));
      expect(JSON.stringify(value)).toBe(before);
    }
  });
});

/** The types that reject no JSON value, except for its depth. */
const ANY_JSON: ReadonlySet<string> = new Set(["JSONValue"]);

function freeze(value: unknown): unknown {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
  return Object.freeze(value);
}
