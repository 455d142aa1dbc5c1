import { describe, expect, test } from "vitest";
import { classify, type MessageKind } from "../../runtime/wire/messages/jsonrpc.js";

const CASES: readonly (readonly [MessageKind, Record<string, unknown>])[] = [
  ["request", { id: 1, method: "x" }],
  ["request", { id: 0, method: "" }],
  ["request", { id: "", method: "x" }],
  ["request", { id: 1, method: "constructor", params: null }],
  ["request", { id: 1, method: "x", result: {} }],
  ["invalid", { id: null, method: "x" }],
  ["invalid", { id: 1.5, method: "x" }],
  ["invalid", { id: NaN, method: "x" }],
  ["invalid", { id: true, method: "x" }],
  ["invalid", { id: {}, method: "x" }],
  ["invalid", { id: 1n, method: "x" }],
  ["invalid", { id: 1, method: 1 }],
  ["invalid", { id: 1, method: null }],
  ["notification", { method: "x" }],
  ["notification", { method: "x", id: undefined }],
  ["invalid", { method: 1 }],
  ["result", { id: 1, result: {} }],
  ["result", { id: "", result: null }],
  ["invalid", { result: {} }],
  ["invalid", { id: null, result: {} }],
  ["invalid", { id: 1, result: undefined }],
  ["error", { id: 1, error: {} }],
  ["error", { id: null, error: {} }],
  ["error", { error: {} }],
  ["invalid", { id: 0.5, error: {} }],
  ["invalid", { id: [], error: {} }],
  ["invalid", { id: 1, result: {}, error: {} }],
  ["invalid", { id: 1 }],
  ["invalid", {}],
];

describe("classify", () => {
  test.each(CASES)("returns %s for %o", (kind, members) => {
    expect(classify({ jsonrpc: "2.0", ...members })).toBe(kind);
    expect(classify(members)).toBe("invalid");
    expect(classify({ ...members, jsonrpc: "1.0" })).toBe("invalid");
    expect(classify({ ...members, jsonrpc: 2 })).toBe("invalid");
  });

  test("treats arrays as batches, whatever they contain", () => {
    expect([classify([]), classify([1]), classify([[]])]).toEqual(["batch", "batch", "batch"]);
  });

  test.each([undefined, null, true, 1, "x", 1n, Symbol("s"), () => 1])("rejects %s", (value) => {
    expect(classify(value)).toBe("invalid");
  });

  test("reads own members only", () => {
    const request = { jsonrpc: "2.0", id: 1, method: "x" };
    expect(classify(Object.create(request))).toBe("invalid");
    expect(
      classify(
        Object.assign(Object.create({ id: null }) as object, { jsonrpc: "2.0", method: "x" }),
      ),
    ).toBe("notification");
    expect(classify(Object.assign(Object.create(null) as object, request))).toBe("request");
  });
});
