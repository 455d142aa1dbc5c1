import { expect, it } from "vitest";
import { RpcError } from "../../../runtime/errors.js";
import { older, revisions, rowOf } from "./revisions.js";

/** The code and data with which an error arrives, in each older revision. */
function arrived(method: string, error: RpcError): unknown[] {
  return older.map((revision) => {
    const sent = revision.projection!.error(rowOf(revision, method), error);
    expect(sent.message).toBe(error.message);
    return [sent.code, sent.data];
  });
}

it("T9: a resource that does not exist has the code of the revision", () => {
  const data = { uri: "file:///gone" };
  const gone = new RpcError(-32602, "Resource not found", data);
  expect(arrived("resources/read", gone)).toEqual(older.map(() => [-32002, data]));
  expect(arrived("tools/call", gone)).toEqual(older.map(() => [-32602, data]));
  const wrong = new RpcError(-32602, "Invalid params", { issues: [] });
  expect(arrived("resources/read", wrong)).toEqual(older.map(() => [-32602, { issues: [] }]));
});

it.each([-32020, -32021, -32022])("T9: %d means nothing before the newest revision", (code) => {
  const error = new RpcError(code, "Cannot go on", { requiredCapabilities: {} });
  expect(arrived("tools/call", error)).toEqual(older.map(() => [-32603, undefined]));
});

it("T4: a visit to a web page is asked for by an error in one revision, and its URL stays out of all others", () => {
  const data = {
    elicitations: [{ mode: "url", message: "", url: "https://a.b", elicitationId: "1" }],
  };
  const error = new RpcError(-32042, "Visit a page first", data);
  const [first, second, third, fourth] = arrived("tools/call", error);
  expect([first, second, third]).toEqual(Array.from({ length: 3 }, () => [-32603, undefined]));
  expect(fourth).toEqual([-32042, data]);
});

it("T9: codes of one's own travel as they are", () => {
  const error = new RpcError(1234, "Own", { a: 1 });
  for (const revision of older) {
    expect(revision.projection!.error(rowOf(revision, "tools/call"), error)).toBe(error);
  }
});

it("the newest revision needs no translation", () => {
  expect(revisions.at(-1)!.projection).toBeUndefined();
});
