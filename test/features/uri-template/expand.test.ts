import { describe, expect, it } from "vitest";
import { expand, UriTemplate } from "../../../runtime/features/uri-template/index.js";

describe("expand", () => {
  it.each([
    ["test:{x}", { x: "a b/c" }, "test:a%20b%2Fc"],
    ["test:{+x}", { x: "a/b c" }, "test:a/b%20c"],
    ["test:a{?x,y,z}", { x: 1, y: true, z: "" }, "test:a?x=1&y=true&z="],
    ["test:a{?x*}", { x: ["1", "2"] }, "test:a?x=1&x=2"],
    ["test:a{?x*}", { x: { k: "v" } }, "test:a?k=v"],
    ["test:a{?x,y}", { x: [], y: null }, "test:a"],
    ["test:a{/x,y}", {}, "test:a"],
    ["test:a{/__proto__}", {}, "test:a"],
    ["test:a{/constructor}", {}, "test:a"],
  ])("fills in %s", (template, variables, uri) => {
    expect(expand(template, variables)).toBe(uri);
  });

  it("rejects values that it cannot write", () => {
    expect(() => expand("test:{x", {})).toThrow(TypeError);
    expect(() => expand("test:{=x}", { x: "1" })).toThrow(TypeError);
    expect(() => expand("test:{x}", { x: "\ud800" })).toThrow(TypeError);
  });
});

/** Creates a pseudo-random number generator that returns the same numbers in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PIECES = [
  "a",
  "B",
  "7",
  "-",
  "_",
  "~",
  "/",
  "?",
  "#",
  "%",
  "&",
  "=",
  ";",
  ",",
  "+",
  ":",
  "@",
];
const MORE_PIECES = [" ", "é", "😀", "\0", '"', "{", "'", "(", "%2F"];

const round = (template: string, values: Record<string, string | string[]>): void => {
  const uri = expand(template, values);
  const match = new UriTemplate(template).match(uri);
  expect({ uri, values: { ...match?.values } }).toEqual({ uri, values });
};

describe("match(expand(values)) returns the values", () => {
  const next = generator(42);
  const text = (pieces: readonly string[], least: number): string =>
    Array.from({ length: least + next(6) }, () => pieces[next(pieces.length)]).join("");
  const path = (): string => text(["a", "/", "?", "&", "=", ":", "é", " "], 1);
  const encoded = (): string => text([...PIECES, ...MORE_PIECES], 1);

  it("for each operator that encodes", () => {
    for (let turn = 0; turn < 200; turn++) {
      round("test:/{x}", { x: encoded() });
      round("test:/{x,y}", { x: encoded(), y: encoded() });
      round("test:/{x}/{y}{/z}", { x: encoded(), y: encoded(), z: encoded() });
      round("test:/a{/x,y}", { x: encoded(), y: encoded() });
      round("test:/a{;x,y}", { x: encoded(), y: encoded() });
      round("test:/a{?x,y}", { x: encoded(), y: encoded() });
      round("test:/a{?x,y}", { y: encoded() });
      round("test:/a?b{&x,y}", { x: encoded(), y: encoded() });
      round("test:/a{.x}", { x: encoded() });
    }
  });

  it("for lists", () => {
    for (let turn = 0; turn < 200; turn++) {
      const x = Array.from({ length: 1 + next(4) }, encoded);
      round("test:/{x*}", { x });
      round("test:/a{/x*}", { x });
      round("test:/a{/x*}{?y}", { x, y: encoded() });
      round("test:/a{?x*,y}", { x, y: encoded() });
      round("test:/a{;x*}", { x });
    }
  });

  it("for values with reserved characters, if nothing follows", () => {
    for (let turn = 0; turn < 200; turn++) {
      round("file:///{+x}", { x: path() });
      round("test:a{#x}", { x: path() });
      round("test:{y}/{+x}", { x: path(), y: encoded() });
    }
  });
});

describe("a random template", () => {
  const next = generator(7);
  const pick = <T>(items: readonly T[]): T => items[next(items.length)]!;

  /** Creates a template with path segments, followed by a typical ending. Each variable occurs once. */
  const randomTemplate = (): { template: string; values: Record<string, string | string[]> } => {
    const values: Record<string, string | string[]> = {};
    const one = (): string =>
      Array.from({ length: 1 + next(4) }, () => pick(["a", "b", "é", "/", "?", "%", "&"])).join("");
    const named = (value: string | string[]): string => {
      const name = `v${Object.keys(values).length}${pick(["", "x"])}`;
      values[name] = value;
      return name;
    };
    const list = (): string[] => Array.from({ length: 1 + next(3) }, one);
    const segment = (): string =>
      pick([
        () => "fixed",
        () => `{${named(one())}}`,
        () => `{${named(one())}}-{${named(one())}}`,
        () => `{${named(one())}}.v{${named(one())}}`,
        () => `{${named(one())},${named(one())}}`,
        () => `{${named(one())}}{.${named(one())}}`,
        () => `{${named(list())}*}`,
      ])();
    const path = Array.from({ length: 1 + next(4) }, segment).join("/");
    const end = pick([
      () => "",
      () => `{/${named(list())}*}`,
      () => `{/${named(one())}}`,
      () => `/{+${named("a/b")}}`,
      () => `{#${named("a/b?c")}}`,
    ])();
    const query = end.includes("#")
      ? ""
      : pick([
          () => "",
          () => `{?${named(one())},${named(list())}*}`,
          () => `{;${named(one())}}`,
        ])();
    return { template: `test://${path}${end}${query}`, values };
  };

  it("matches what it expands to", () => {
    for (let turn = 0; turn < 3000; turn++) {
      const { template, values } = randomTemplate();
      const uri = expand(template, values);
      const found = new UriTemplate(template).match(uri)?.values;
      expect({ template, uri, found: { ...found } }).toEqual({ template, uri, found: values });
    }
  });
});
