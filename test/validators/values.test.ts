import { afterEach, describe, expect, test } from "vitest";
import { classify } from "../../runtime/wire/messages/jsonrpc.js";
import { protocolOf } from "../generator/bundled-protocols.js";
import { type Validators, validatorsOf } from "./build.js";
import { issuesOf, smallValidators } from "./small.js";

const v: Validators = await validatorsOf(protocolOf("2026-07-28"));

const tool = { name: "n", inputSchema: { type: "object" } };

describe("values that no JSON text can produce", () => {
  const odd: readonly (readonly [name: string, value: unknown])[] = [
    ["undefined", undefined],
    ["bigint", 1n],
    ["symbol", Symbol("s")],
    ["function", () => 1],
    ["NaN", NaN],
    ["Infinity", Infinity],
  ];

  test.each(odd)("include %s", (_, value) => {
    expect(v["JSONValue"]!(value)).toBe(false);
    expect(v["RequestId"]!(value)).toBe(false);
    expect(v["Tool"]!(value)).toBe(false);
    expect(v["Tool"]!({ ...tool, title: value })).toBe(value === undefined);
    expect(v["Tool"]!({ ...tool, name: value })).toBe(false);
    expect(v["JSONArray"]!([value])).toBe(false);
  });

  test("include negative zero, which is zero", () => {
    expect(v["RequestId"]!(-0)).toBe(true);
    expect(v["Annotations"]!({ priority: -0 })).toBe(true);
  });

  test("include a hole in an array, which is an undefined element", () => {
    // oxlint-disable-next-line no-sparse-arrays
    expect(v["JSONArray"]!([1, , 2])).toBe(false);
    expect(v["Annotations"]!({ audience: Array(1) })).toBe(false);
  });

  test("include undefined, which is absent in objects and maps", () => {
    expect(v["Tool"]!({ ...tool, title: undefined })).toBe(true);
    expect(v["Tool"]!({ ...tool, name: undefined })).toBe(false);
    expect(v["JSONObject"]!({ a: undefined })).toBe(true);
  });

  test("include boxed values and dates, which are objects", () => {
    expect(v["RequestId"]!(new String("x"))).toBe(false);
    expect(v["MetaObject"]!(new Date(0))).toBe(true);
    expect(v["MetaObject"]!(new Map())).toBe(true);
  });

  test("include frozen values and values without prototype, which are accepted", () => {
    const bare = Object.assign(Object.create(null) as object, tool);
    expect(v["Tool"]!(bare)).toBe(true);
    expect(v["Tool"]!(Object.freeze({ ...tool }))).toBe(true);
    expect(v["JSONObject"]!(Object.assign(Object.create(null) as object, { a: 1n }))).toBe(false);
  });

  test("include a getter, whose error is thrown", () => {
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

const hidden = (members: object): PropertyDescriptorMap =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }]));

describe("objects that look plain but are not", () => {
  test("have no inherited members, whatever their prototype contains", () => {
    const base = Object.defineProperties({}, hidden({ ...tool, constructor: Object }));
    expect(v["Tool"]!(Object.create(base))).toBe(false);
    expect(v["Tool"]!(Object.create(Object.create(null) as object))).toBe(false);
    expect(v["Tool"]!(JSON.parse('{ "__proto__": { "name": "n", "inputSchema": {} } }'))).toBe(
      false,
    );
    expect(v["Tool"]!(Object.defineProperties(Object.create(base), hidden(tool)))).toBe(true);
    expect(v["Tool"]!({ ...tool, ["__proto__"]: 1 })).toBe(true);
  });

  test("are neither arrays nor functions", () => {
    const list = Object.setPrototypeOf(Object.assign([], tool), Object.prototype) as unknown;
    const call = Object.setPrototypeOf(
      Object.defineProperties(() => 1, hidden(tool)),
      Object.prototype,
    ) as unknown;
    expect([v["Tool"]!(list), v["Tool"]!(call)]).toEqual([false, false]);
    expect(issuesOf(v, "Tool", list)).toEqual([": object, not array"]);
  });

  test("are rejected as fast as others if their prototypes are nested", async () => {
    const { List } = await smallValidators("export interface List { next?: List; end?: null }\n");
    class Link {
      readonly next: unknown;
      constructor(next: unknown) {
        this.next = next;
      }
    }
    let chain: unknown = { end: 1 };
    for (let level = 0; level < 100; level++) chain = new Link(chain);
    expect(List!(chain)).toBe(false);
    expect(issuesOf({ List: List! }, "List", chain)).toEqual([
      `${"/next".repeat(100)}/end: null, not 1`,
    ]);
  });
});

describe("a polluted Object.prototype", () => {
  const root = Object.prototype as Record<string, unknown>;

  afterEach(() => {
    delete root["name"];
    delete root["title"];
    delete root["type"];
    delete root["jsonrpc"];
    delete root["next"];
  });

  test("supplies no members", () => {
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

  test("supplies neither optional nor required members", () => {
    root["title"] = 1;
    expect([v["Tool"]!(tool), v["Tool"]!({ ...tool, title: 1 })]).toEqual([true, false]);
    expect(issuesOf(v, "Tool", { ...tool, title: 2 })).toEqual(["/title: string, not 2"]);
    root["jsonrpc"] = "2.0";
    const request = { id: 1, method: "tools/call", params: { name: "n" } };
    expect(v["CallToolRequest"]!(request)).toBe(false);
    root["name"] = "n";
    expect(v["CallToolRequest"]!({ ...request, jsonrpc: "2.0", params: {} })).toBe(false);
  });

  test("keeps a valid value valid when its members cannot be enumerated", () => {
    Object.defineProperty(root, "name", { value: "n", configurable: true });
    Object.defineProperty(root, "title", { value: 1, configurable: true });
    expect(v["Tool"]!({ ...tool, title: "t" })).toBe(true);
    expect(v["ToolAnnotations"]!({ readOnlyHint: true })).toBe(true);
  });

  test("does not slow down a recursive type", async () => {
    const { List, Odd } = await smallValidators(`
export interface List { next?: List; end?: null }
export interface Odd { constructor?: Odd; end?: null }
`);
    root["next"] = 1;
    let list: unknown = { end: 1 };
    let odd: unknown = { end: 1 };
    for (let level = 0; level < 100; level++) {
      list = { next: list };
      odd = { constructor: odd };
    }
    expect([List!(list), Odd!(odd)]).toEqual([false, false]);
    expect([List!({ end: null }), Odd!({ constructor: {} })]).toEqual([true, true]);
  });
});
