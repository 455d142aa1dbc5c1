import { expect, it } from "vitest";
import { collect } from "../../generator/docs/collect/collect.js";
import { messageOf, sample } from "../../generator/docs/collect/sample.js";
import { bundled } from "../generator/bundled-protocols.js";
import { bundledInputs } from "./site.js";

type Validators = Readonly<Record<string, (value: unknown) => boolean>>;

const reference = collect(bundledInputs());

it.each(bundled)("examples of %s are valid messages and results", async (id) => {
  const validators = (await import(`../../generated/${id}/validators.ts`)) as Validators;
  const revision = reference.revisions.find((one) => one.id === id)!;
  const invalid: string[] = [];
  for (const method of revision.methods.values()) {
    if (!validators[method.type]!(messageOf(method, revision))) invalid.push(method.type);
    for (const type of method.result ? [method.result.type] : []) {
      if (!validators[type]!(sample(type, revision))) invalid.push(type);
    }
  }
  for (const [type, examples] of revision.examples) {
    for (const { title, text } of examples) {
      if (!validators[type]!(JSON.parse(text))) invalid.push(`${type} ${title}`);
    }
  }
  expect(invalid).toEqual([]);
});
