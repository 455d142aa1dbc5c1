import { describe, expect, test } from "vitest";
import type { Trace } from "../../runtime/wire/validation/validator.js";
import { protocolOf } from "../generator/bundled-protocols.js";
import { validatorsOf } from "./build.js";
import { issuesOf, smallValidators } from "./small.js";

const v = await validatorsOf(protocolOf("2025-11-25"));

describe("issues", () => {
  test("name every problem, in the order of the schema", () => {
    const value = {
      inputSchema: { type: "array", required: ["a", 1, null] },
      name: 5,
      icons: [{ src: "s" }, {}, { src: "s", theme: "blue" }],
      annotations: { readOnlyHint: "yes" },
    };
    expect(issuesOf(v, "Tool", value)).toEqual([
      "/name: string, not 5",
      "/icons/1/src: string, not nothing",
      '/icons/2/theme: "light" | "dark", not "blue"',
      '/inputSchema/type: "object", not "array"',
      "/inputSchema/required/1: string, not 1",
      "/inputSchema/required/2: string, not null",
      '/annotations/readOnlyHint: boolean, not "yes"',
    ]);
  });

  test.each([
    [undefined, "nothing"],
    [null, "null"],
    [[], "array"],
    [{ a: 1 }, "object"],
    [true, "true"],
    [-1.5, "-1.5"],
    [NaN, "NaN"],
    [1n, "bigint"],
    [Symbol("secret"), "symbol"],
    [() => "secret", "function"],
    ["short", '"short"'],
    ['with "quotes"\n', '"with \\"quotes\\"\\n"'],
    ["secret".repeat(10), "string"],
  ])("describe the value: %s", (value, received) => {
    const trace: Trace = [];
    expect(v["Role"]!(value, trace)).toBe(false);
    expect(trace).toEqual([{ path: "", expected: '"user" | "assistant"', received }]);
  });

  test("point with JSON Pointers", () => {
    const requestedSchema = { type: "object", properties: { "a/b~c": 1, "": 2 } };
    expect(issuesOf(v, "ElicitRequestFormParams", { message: "m", requestedSchema })).toEqual([
      "/requestedSchema/properties/a~1b~0c: StringSchema | NumberSchema | BooleanSchema | EnumSchema, not 1",
      "/requestedSchema/properties/: StringSchema | NumberSchema | BooleanSchema | EnumSchema, not 2",
    ]);
  });

  test("cut long names", () => {
    const value = { name: "n", arguments: { ["k".repeat(500)]: 1 } };
    expect(issuesOf(v, "GetPromptRequestParams", value)).toEqual([
      `/arguments/${"k".repeat(100)}…: string, not 1`,
    ]);
  });

  test("end at a hundred", () => {
    const trace: Trace = [];
    expect(v["Annotations"]!({ audience: Array(100_000).fill("nobody") }, trace)).toBe(false);
    expect(trace).toHaveLength(100);
  });

  test("are added to those of the trace", () => {
    const known = { path: "/x", expected: "y", received: "z" };
    const trace: Trace = [known];
    expect(v["Role"]!("user", trace)).toBe(true);
    expect(v["Annotations"]!({}, trace)).toBe(true);
    expect(trace).toEqual([known]);
    expect(v["Annotations"]!({ priority: 2 }, trace)).toBe(false);
    expect(trace).toEqual([
      known,
      { path: "/priority", expected: "number, 0 to 1", received: "2" },
    ]);
  });
});

describe("issues of a union", () => {
  test("are those of the alternative that the discriminant selects", () => {
    expect(issuesOf(v, "ContentBlock", { type: "text", annotations: [] })).toEqual([
      "/text: string, not nothing",
      "/annotations: object, not array",
    ]);
    expect(issuesOf(v, "ElicitRequestParams", { message: "m" })).toEqual([
      "/requestedSchema: object, not nothing",
    ]);
  });

  test("name the known discriminants for an unknown one", () => {
    const expected = '"text" | "image" | "audio" | "resource_link" | "resource"';
    expect(issuesOf(v, "ContentBlock", { type: "video" })).toEqual([
      `/type: ${expected}, not "video"`,
    ]);
    expect(issuesOf(v, "ContentBlock", {})).toEqual([`/type: ${expected}, not nothing`]);
  });

  test("name the alternatives if the value is not an object", () => {
    expect(issuesOf(v, "ContentBlock", "text")).toEqual([
      ': TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource, not "text"',
    ]);
  });

  test("are those of the only close alternative", () => {
    const contents = [{ uri: 1, text: "t" }, { uri: "u", blob: null }, { uri: "u" }];
    expect(issuesOf(v, "ReadResourceResult", { contents })).toEqual([
      "/contents/0/uri: string, not 1",
      "/contents/1/blob: string, not null",
      "/contents/2: TextResourceContents | BlobResourceContents, not object",
    ]);
    expect(issuesOf(v, "SamplingMessage", { role: "user", content: [{ type: "text" }] })).toEqual([
      "/content/0/text: string, not nothing",
    ]);
    expect(issuesOf(v, "JSONRPCMessage", { jsonrpc: "2.0", id: 1, result: 5 })).toEqual([
      "/result: object, not 5",
    ]);
  });

  test("of scalars name them all", () => {
    expect(issuesOf(v, "RequestId", 1.5)).toEqual([": string | integer, not 1.5"]);
    expect(issuesOf(v, "Task", { ttl: "" }).at(-1)).toBe('/ttl: integer | null, not ""');
  });
});

describe("issues of other constructs", () => {
  test("come from all parts of an intersection, and name sizes", async () => {
    const u = await smallValidators(`
export type U = { k: 1; x: string } | { k: 2 };
export type Both = { a: string } & U;
export interface Sized {
  /** @maxItems 2 */
  few: string[];
  /** @minLength 2 */
  long: string;
  /**
   * @maxLength 3
   * @pattern ^"\\d+$
   */
  coded: string;
  /** @minimum 1 */
  many: number;
  none?: never;
}
`);
    expect(issuesOf(u, "Both", { k: 1 })).toEqual([
      "/a: string, not nothing",
      "/x: string, not nothing",
    ]);
    expect(
      issuesOf(u, "Sized", { few: ["", "", ""], long: "x", coded: "d", many: 0, none: null }),
    ).toEqual([
      "/few: array with at most 2 items, not array",
      '/long: string with at least 2 characters, not "x"',
      '/coded: string with at most 3 characters that matches ^"\\d+$, not "d"',
      "/many: integer, at least 1, not 0",
      "/none: nothing, not null",
    ]);
  });
});
