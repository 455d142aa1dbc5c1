import { afterEach, describe, expect, test } from "vitest";
import { classify } from "../../runtime/classify.js";
import { protocolOf } from "../generator/bundled-protocols.js";
import { type Validators, validatorsOf } from "./build.js";
import { issuesOf } from "./small.js";

const v: Validators = await validatorsOf(protocolOf("2026-07-28"));

const tool = { name: "n", inputSchema: { type: "object" } };

describe("values that no JSON text gives", () => {
  const odd: readonly (readonly [name: string, value: unknown])[] = [
    ["undefined", undefined],
    ["bigint", 1n],
    ["symbol", Symbol("s")],
    ["function", () => 1],
    ["NaN", NaN],
    ["Infinity", Infinity],
  ];

  test.each(odd)("%s is no JSON value", (_, value) => {
    expect(v["JSONValue"]!(value)).toBe(false);
    expect(v["RequestId"]!(value)).toBe(false);
    expect(v["Tool"]!(value)).toBe(false);
    expect(v["Tool"]!({ ...tool, title: value })).toBe(value === undefined);
    expect(v["Tool"]!({ ...tool, name: value })).toBe(false);
    expect(v["JSONArray"]!([value])).toBe(false);
  });

  test("negative zero is zero", () => {
    expect(v["RequestId"]!(-0)).toBe(true);
    expect(v["Annotations"]!({ priority: -0 })).toBe(true);
  });

  test("a hole in an array is an element that is undefined", () => {
    // oxlint-disable-next-line no-sparse-arrays
    expect(v["JSONArray"]!([1, , 2])).toBe(false);
    expect(v["Annotations"]!({ audience: Array(1) })).toBe(false);
  });

  test("undefined is absent in objects and maps", () => {
    expect(v["Tool"]!({ ...tool, title: undefined })).toBe(true);
    expect(v["Tool"]!({ ...tool, name: undefined })).toBe(false);
    expect(v["JSONObject"]!({ a: undefined })).toBe(true);
  });

  test("boxed values and dates are objects, not scalars", () => {
    expect(v["RequestId"]!(new String("x"))).toBe(false);
    expect(v["MetaObject"]!(new Date(0))).toBe(true);
    expect(v["MetaObject"]!(new Map())).toBe(true);
  });

  test("frozen values and values without prototype are as good as any", () => {
    const bare = Object.assign(Object.create(null) as object, tool);
    expect(v["Tool"]!(bare)).toBe(true);
    expect(v["Tool"]!(Object.freeze({ ...tool }))).toBe(true);
    expect(v["JSONObject"]!(Object.assign(Object.create(null) as object, { a: 1n }))).toBe(false);
  });

  test("a getter is read, and what it throws comes through", () => {
    expect(
      v["Tool"]!({
        ...tool,
        get title() {
          return "t";
        },
      }),
    ).toBe(true);
    const failing = {
      ...tool,
      get title() {
        throw new RangeError("mine");
      },
    };
    expect(() => v["Tool"]!(failing)).toThrow(new RangeError("mine"));
  });
});

describe("only own members count", () => {
  test("for required members", () => {
    expect(v["Tool"]!(Object.create(tool))).toBe(false);
    const half = Object.assign(Object.create({ name: "n" }) as object, {
      inputSchema: tool.inputSchema,
    });
    expect(v["Tool"]!(half)).toBe(false);
    expect(issuesOf(v, "Tool", half)).toEqual(["/name: string, not nothing"]);
  });

  test("for optional members, which are absent when inherited", () => {
    expect(v["Tool"]!(Object.assign(Object.create({ title: 1 }) as object, tool))).toBe(true);
    expect(v["Annotations"]!(Object.create({ priority: "high" }))).toBe(true);
    expect(issuesOf(v, "Annotations", Object.create({ priority: "high" }))).toEqual([]);
  });

  test("for the entries of a map", () => {
    expect(v["JSONObject"]!(Object.create({ inherited: 1n }))).toBe(true);
    expect(v["JSONObject"]!(JSON.parse('{ "__proto__": null, "constructor": [] }'))).toBe(true);
    expect(
      issuesOf(
        v,
        "JSONObject",
        Object.defineProperty({}, "__proto__", { value: 1n, enumerable: true }),
      ),
    ).toEqual([
      "/__proto__: string | number | boolean | null | JSONObject | JSONArray, not bigint",
    ]);
  });

  test("for a discriminant", () => {
    expect(
      v["ContentBlock"]!(Object.assign(Object.create({ type: "text" }) as object, { text: "" })),
    ).toBe(false);
    const formWithInheritedMode = Object.assign(Object.create({ mode: "url" }) as object, {
      message: "",
      requestedSchema: { type: "object", properties: {} },
    });
    expect(v["ElicitRequestParams"]!(formWithInheritedMode)).toBe(true);
  });

  test("for instances of classes", () => {
    class Named {
      readonly name = "n";
      readonly inputSchema = { type: "object" };
      get title(): number {
        return 1;
      }
    }
    expect(v["Tool"]!(new Named())).toBe(true);
  });
});

describe("with a polluted Object.prototype", () => {
  const root = Object.prototype as Record<string, unknown>;

  afterEach(() => {
    delete root["name"];
    delete root["title"];
    delete root["type"];
    delete root["jsonrpc"];
  });

  test("nothing is taken from it", () => {
    root["name"] = "polluted";
    root["title"] = 5;
    const { name: _, ...nameless } = tool;
    expect([v["Tool"]!(nameless), v["Tool"]!(tool)]).toEqual([false, true]);
    expect(issuesOf(v, "Tool", nameless)).toEqual(["/name: string, not nothing"]);
    root["type"] = "text";
    expect([
      v["ContentBlock"]!({ text: "" }),
      v["ContentBlock"]!({ type: "text", text: "" }),
    ]).toEqual([false, true]);
    expect(v["JSONObject"]!({})).toBe(true);
    root["jsonrpc"] = "2.0";
    expect(classify({ method: "x" })).toBe("invalid");
  });
});
