import { describe, expect, it } from "vitest";
import { UriTemplate } from "../../../runtime/features/index.js";

describe("an invalid template", () => {
  it.each([
    ["test:{x", 5, "never closed"],
    ["test:{}", 6, "empty"],
    ["test:x}", 6, '"}"'],
    ["test:{{x}}", 6, '"{x"'],
    ["test:{=x}", 6, '"="'],
    ["test:{|x}", 6, '"|"'],
    ["test:{x,}", 6, '""'],
    ["test:{?}", 6, '""'],
    ["test:{x y}", 6, '"x y"'],
    ["test:{x-y}", 6, '"x-y"'],
    ["test:{x..y}", 6, '"x..y"'],
    ["test:{x:0}", 6, '"x:0"'],
    ["test:{x:10000}", 6, '"x:10000"'],
    ["test:{x:3*}", 6, '"x:3*"'],
    ["test:a b", 6, '" "'],
    ["test:a%", 6, "a lone %"],
    ["test:<{x}>", 5, '"<"'],
    [`test:${"{x}".repeat(2000)}`, 0, "longer than 4096"],
  ])("is refused at once: %s", (template, position, problem) => {
    expect(() => new UriTemplate(template)).toThrow(TypeError);
    expect(() => new UriTemplate(template)).toThrow(`, at ${position}: `);
    expect(() => new UriTemplate(template)).toThrow(problem);
  });

  it("follows RFC 6570 only: nothing else is refused", () => {
    for (const template of [
      "",
      "{x.y}",
      "{_1}",
      "{%41b}",
      "{x:9999}",
      "é{x}",
      "a'b",
      "[::1]{/x}",
    ]) {
      expect(() => new UriTemplate(template)).not.toThrow();
    }
  });

  it("may be long and deep", () => {
    const template = new UriTemplate(`test:${"{/a}".repeat(1000)}`);
    expect(template.match(`test:${"/b".repeat(1000)}`)?.values).toEqual({ a: "b" });
    expect(template.match("test:/b/c")).toBeUndefined();
    const names = Array.from({ length: 700 }, (_, index) => `v${index}`);
    const query = new UriTemplate(`test:{?${names.join(",")}}`);
    const uri = `test:?${names.map((name) => `${name}=1`).join("&")}`;
    expect(Object.keys(query.match(uri)!.values)).toEqual(names);
  });
});
