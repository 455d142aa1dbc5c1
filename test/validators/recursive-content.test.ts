import { expect, it } from "vitest";
import { formatTestOf } from "../../runtime/wire/validation/content.js";
import type { Shapes } from "../../runtime/wire/validation/validator.js";

/** Types of which each has members of all types, and the last one another member. */
function entangled(count: number, last = ""): Shapes {
  const names = Array.from({ length: count }, (_, index) => `T${index}`);
  const members = names.map((name, index) => `m${index}?: ${name}`).join("; ");
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      `recursive { ${members}${index === count - 1 ? last : ""} }`,
    ]),
  );
}

it("a type is examined for formats once, however many types refer to one another", () => {
  expect(formatTestOf(entangled(100), "T0")).toBeNull();
});

it("a format is found behind types that refer to one another", () => {
  const test = formatTestOf(entangled(20, "; data?: string<byte>"), "T0")!;
  expect(test({ m19: { data: "AAAA" } })).toBe(true);
  expect(test({ m3: { m19: { data: "not base64" } } })).toBe(false);
});
