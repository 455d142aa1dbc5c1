import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFolder } from "../../generator/bundled/bundled.js";
import { compileTemplate, renderTemplate } from "../../generator/emit/template.js";

describe("a template", () => {
  it("ignores the line endings of its file", () => {
    const text = "a\n{{#each b}}\n{{this}}\n{{/each}}\n\nc {{d}}\n";
    const view = { b: [1, 2], d: "x" };
    const expected = "a\n1\n2\n\nc x\n";
    expect(compileTemplate(text)(view)).toBe(expected);
    expect(compileTemplate(text.replaceAll("\n", "\r\n"))(view)).toBe(expected);
  });

  it("refuses a view that lacks a member", () => {
    expect(() => compileTemplate("{{a.b}}")({ a: {} })).toThrow(/"b" not defined/);
    expect(() => compileTemplate("{{#if a}}b{{/if}}")({})).toThrow(/lacks/);
    expect(() => compileTemplate("{{#each a.b}}c{{/each}}")({ a: {} })).toThrow(/lacks/);
    expect(() => renderTemplate("revision/index.ts", { header: "" })).toThrow(/not defined/);
  });

  it("escapes nothing and evaluates no value", () => {
    const view = { a: "{{b}} {{{b}}} &<\"'" };
    expect(compileTemplate("{{a}}")(view)).toBe(view.a);
  });

  it("cannot call anything", () => {
    for (const text of [
      "{{lookup a 0}}",
      "{{#with a}}{{/with}}",
      "{{#unless a}}{{/unless}}",
      "{{log a}}",
    ]) {
      expect(() => compileTemplate(text)({ a: [] }), text).toThrow(/unknown helper/);
    }
  });
});

it("the templates decide presence and repetition only", () => {
  const folder = join(packageFolder(), "templates/revision");
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const [tag, inner] of text.matchAll(/\{\{(.*?)\}\}/g)) {
      expect(inner, `${file}: ${tag}`).toMatch(
        /^(?:#(?:each|if) \w+|\/(?:each|if)|\w+(?:\.\w+)?)$/,
      );
    }
  }
});
