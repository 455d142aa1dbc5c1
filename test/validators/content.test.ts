import { expect, it } from "vitest";
import * as validation from "../../runtime/wire/validation/validator.js";
import { BASICS, linkText, unions } from "../generator/link-text.js";
import { type Built, builtOf, validatorsText } from "./build.js";

function protocolOf(text: string) {
  const { protocol, found } = linkText(BASICS + unions() + text);
  if (!protocol || found.length > 0) throw new Error(found.join("\n"));
  return protocol;
}

/** Returns the paths of the content issues in a value; the test of its content must agree with them. */
function pathsIn({ validators, hasFormats, formatIssues }: Built, value: unknown): string[] {
  const { Shown } = validators;
  expect(Shown!(value)).toBe(true);
  const paths = formatIssues(Shown!, value).map(({ path }) => path);
  expect(hasFormats(Shown!, value)).toBe(paths.length === 0);
  return paths;
}

it.each([
  [
    "members, elements and objects in one another",
    "export interface Shown { /** @format byte */ data?: string; more?: { list?: Part[][] } }\n" +
      "export interface Part { /** @format uri */ uri?: string }",
    { data: "AAAA", more: { list: [[{ uri: "a:b" }], []] } },
    { data: "!", more: { list: [[{}, { uri: "b" }]] } },
    ["/data", "/more/list/0/1/uri"],
  ],
  [
    "unnamed members",
    "export interface Shown { first: Part; [name: string]: Part }\n" +
      "export interface Part { /** @format uri */ uri: string }",
    { first: { uri: "a:b" }, other: { uri: "a:b" } },
    { first: { uri: "b" }, other: { uri: "c" } },
    ["/other/uri", "/first/uri"],
  ],
  [
    "the alternative that a member selects",
    "export type Shown = Text | Data | Other\n" +
      `export interface Text { type: "text"; value: string }\n` +
      `export interface Data { type: "data"; /** @format byte */ value: string }\n` +
      `export interface Other { type: "a" | "b"; /** @format uri */ value: string }`,
    { type: "text", value: "!" },
    { type: "b", value: "!" },
    ["/value"],
  ],
  [
    "the alternatives that a value has",
    "export interface Shown { part: One | Two | Two[] }\n" +
      "export interface One { text: string; /** @format uri */ uri: string }\n" +
      "export interface Two { /** @format byte */ data: string; uri: string }",
    { part: { data: "AAAA", uri: "!" } },
    { part: [{ data: "!", uri: "!" }] },
    ["/part/0/data"],
  ],
  [
    "intersections",
    "export type Shown = One & { [name: string]: string }\n" +
      "export interface One { /** @format uri */ uri: string }",
    { uri: "a:b", x: "" },
    { uri: "b", x: "" },
    ["/uri"],
  ],
  [
    "types that contain themselves",
    "export interface Shown { /** @format byte */ data?: string; inner?: Shown; all?: Shown[] }",
    { inner: { all: [{ data: "AAAA" }, {}] } },
    { all: [{ inner: { data: "!" } }] },
    ["/all/0/inner/data"],
  ],
] as const)("content is tested in %s", async (_, text, right, wrong, paths) => {
  const built = await builtOf(protocolOf(text));
  expect(pathsIn(built, right)).toEqual([]);
  expect(pathsIn(built, wrong)).toEqual(paths);
});

it("only types that lead to a format have a test, and types with equal content share one", () => {
  const text = validatorsText(
    protocolOf(
      "export interface Shown { one?: One; two?: Two; three?: Three; four?: Four }\n" +
        "export interface One { name: string; /** @format uri */ uri: string }\n" +
        "export interface Two { title: string; /** @format uri */ uri: string }\n" +
        "export interface Three extends One {}\n" +
        "export interface Four { uri: string }",
    ),
  );
  expect(text).toContain(`validator(messageShapes, "Two", isTwo, contentOfOne)`);
  expect(text).toContain(`validator(messageShapes, "Three", isOne, contentOfOne)`);
  expect(text).toContain(`validator(messageShapes, "Four", isFour)`);
  expect(text.match(/^function contentOf\w+/gm)).toEqual([
    "function contentOfShown",
    "function contentOfOne",
  ]);
});

it("many types that refer to one another are examined without a search of each path", () => {
  const names = Array.from({ length: 40 }, (_, index) => `T${index}`);
  const members = names.map((name) => `${name}?: ${name}`).join("; ");
  const types = names.map((name) => `export interface ${name} { ${members} }`);
  const text = `export interface Shown { t?: T0 }\n${types.join("\n")}`;
  expect(validatorsText(protocolOf(text))).not.toContain("contentOf");
  const last = `${text.slice(0, -1)}; /** @format byte */ data?: string }`;
  expect(validatorsText(protocolOf(last))).toContain(`contentOfT39(value["T39"], formats)`);
});

it("a description is found by another copy of the package, as a linked package has one", async () => {
  const copy = "../../runtime/wire/validation/validator.ts?copy";
  const other = (await import(copy)) as typeof validation;
  expect(other.describe).not.toBe(validation.describe);
  const { validators } = await builtOf(protocolOf("export interface Shown { data: string }"));
  const description = { shapes: {}, name: "Shown", content: () => true };
  other.describe(validators["Shown"]!, description);
  expect(validation.descriptionOf(validators["Shown"]!)).toBe(description);
});
