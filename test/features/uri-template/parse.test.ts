import { describe, expect, it } from "vitest";
import { expand, UriTemplate } from "../../../runtime/features/uri-template/index.js";

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
  ])("is rejected at once: %s", (template, position, problem) => {
    expect(() => new UriTemplate(template)).toThrow(TypeError);
    expect(() => new UriTemplate(template)).toThrow(`, at ${position}: `);
    expect(() => new UriTemplate(template)).toThrow(problem);
  });

  it("is defined by RFC 6570 only: no other template is rejected", () => {
    for (const template of ["", "{x.y}", "{_1}", "{%41b}", "é{x}", "a'b", "[::1]{/x}"]) {
      expect(() => new UriTemplate(template)).not.toThrow();
    }
  });

  it.each([
    ["test://{a}{b}", "{b} follows another expression directly"],
    ["test:{+x}{+y}", "{y} follows another expression directly"],
    ["test:a{/id}{+rest}", "{rest} follows another expression directly"],
    ["test:{a*}{b*}", "{b*} follows another expression directly"],
    ["test:{a*,b}", "{a*,b} has variables after a list"],
    ["test:{/a*}{/b}", "{/a*,b} has variables after a list"],
    ["test:{x:3}/{x}", "{x} has a prefix"],
  ])("is rejected if its variables are ambiguous: %s", (template, problem) => {
    expect(() => new UriTemplate(template)).toThrow(TypeError);
    expect(() => new UriTemplate(template)).toThrow(problem);
    expect(expand(template, { a: "1", x: "2" })).toMatch(/^test:/);
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
