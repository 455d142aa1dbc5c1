import { describe, expect, test } from "vitest";
import { hardCases } from "../fixtures/validators/hard-cases.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { validatorsOf } from "./build.js";
import { Interpreter } from "./interpreter.js";

describe.each(bundled)("hard cases of %s", (revision) => {
  const protocol = protocolOf(revision);
  const interpreter = new Interpreter(protocol.declarations);
  const cases = hardCases.filter(
    ({ from = revision, to = revision }) => from <= revision && revision <= to,
  );

  test("have the verdict that the schema requires", async () => {
    const validators = await validatorsOf(protocol);
    const known = cases.filter(({ type }) => validators[type]);
    expect(known.length).toBeGreaterThan(50);
    expect(known.filter(({ type, value, valid }) => validators[type]!(value) !== valid)).toEqual(
      [],
    );
  });

  test("have it from the interpreter as well", () => {
    const declared = new Set(protocol.declarations.map(({ name }) => name));
    const known = cases.filter(({ type }) => declared.has(type));
    const different = known.filter(
      ({ type, value, valid }) => interpreter.accepts(type, value) !== valid,
    );
    expect(different).toEqual([]);
  });
});

test("every hard case applies to some revision", async () => {
  const tried = await Promise.all(
    bundled.map(async (revision) => {
      const validators = await validatorsOf(protocolOf(revision));
      return hardCases.filter(
        ({ type, from = revision, to = revision }) =>
          validators[type] && from <= revision && revision <= to,
      );
    }),
  );
  const all = new Set(tried.flat());
  expect(hardCases.filter((one) => !all.has(one))).toEqual([]);
});
