import { expect, it } from "vitest";
import { formatTestOf } from "../../runtime/wire/validation/content.js";
import {
  deep,
  formatted,
  maybe,
  object,
  recursive,
  string,
} from "../../runtime/wire/validation/shape.js";
import type { Shapes } from "../../runtime/wire/validation/validator.js";

/** Types of which each has members of all types, and the last one more. */
function entangled(count: number, more: Parameters<typeof object>[0] = {}): Shapes {
  const names = Array.from({ length: count }, (_, index) => `T${index}`);
  const members = Object.fromEntries(
    names.map((name, index) => [`m${index}`, maybe(recursive(name))]),
  );
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      () => deep(object(index === count - 1 ? { ...members, ...more } : members)),
    ]),
  );
}

it("a type is examined for formats once, however many types refer to one another", () => {
  expect(formatTestOf(entangled(100), "T0")).toBeNull();
});

it("a format is found behind types that refer to one another", () => {
  const test = formatTestOf(entangled(20, { data: maybe(formatted(string, "byte")) }), "T0")!;
  expect(test({ m19: { data: "AAAA" } })).toBe(true);
  expect(test({ m3: { m19: { data: "not base64" } } })).toBe(false);
});
