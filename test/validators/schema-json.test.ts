import { describe, expect, test } from "vitest";
import { disagreements } from "../fixtures/validators/disagreements.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { validatorsOf } from "./build.js";
import { corpus } from "./corpus.js";
import { hasSchemaJson, SchemaJson } from "./schema-json.js";
import { describeWith } from "../support/conditional.js";
import { STUDY } from "../support/official.js";

describe.each(bundled)("the validators of %s", (revision) => {
  const name = "beside ajv with the official schema.json";
  describeWith(hasSchemaJson(revision), STUDY, name, () => {
    const protocol = protocolOf(revision);
    const samples = corpus(protocol);
    const known = disagreements.filter(({ revisions }) => revisions.includes(revision));

    test("agree on everything except the known errors of schema.json", async () => {
      const validators = await validatorsOf(protocol);
      const schema = new SchemaJson(revision, known);
      const different = samples.filter(
        ({ type, value }) => validators[type]!(value) !== schema.accepts(type, value),
      );
      expect(different).toEqual([]);
    });

    test.each(known)("still disagree: $name", async (entry) => {
      const validators = await validatorsOf(protocol);
      const schema = new SchemaJson(
        revision,
        known.filter((other) => other !== entry),
      );
      const own = samples.filter(({ type }) => type === entry.type);
      expect(
        own.some(({ type, value }) => validators[type]!(value) && !schema.accepts(type, value)),
      ).toBe(true);
    });
  });
});
