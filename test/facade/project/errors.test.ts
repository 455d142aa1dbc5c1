import { expect, it } from "vitest";
import { RpcError } from "../../../runtime/wire/errors.js";
import type { Loss } from "../../../runtime/wire/revision/revision.js";
import { older, revisions } from "./revisions.js";

const uri = "file:///gone";

/** Returns the error in the form in which it arrives in each revision, oldest first. */
function arrived(method: string, error: RpcError): RpcError[] {
  return revisions.map((revision) => {
    const sent = revision.projectError!({ method, params: { uri } }, error, undefined);
    expect(sent.message).toBe(error.message);
    return sent;
  });
}

function seen(method: string, error: RpcError): unknown[] {
  return arrived(method, error).map(({ code, data }) => [code, data]);
}

const data = { uri };
const notFound = [...older.map(() => [-32002, data]), [-32602, data]];

it("a missing resource has the code of the revision (T9)", () => {
  expect(seen("resources/read", new RpcError(-32602, "Not found", data))).toEqual(notFound);
  expect(seen("resources/read", new RpcError(-32002, "Not found", data))).toEqual(notFound);
  const bare = new RpcError(-32002, "Not found");
  expect(seen("resources/read", bare).at(-1)).toEqual([-32602, data]);
});

it("invalid parameters have the same code everywhere (T9)", () => {
  const gone = new RpcError(-32602, "Resource not found", data);
  expect(seen("tools/call", gone)).toEqual(revisions.map(() => [-32602, data]));
  const wrong = new RpcError(-32602, "Invalid params", { issues: [] });
  expect(seen("resources/read", wrong)).toEqual(revisions.map(() => [-32602, { issues: [] }]));
});

it.each([-32020, -32021, -32022])("%d has no meaning before the newest revision (T9)", (code) => {
  const details = { requiredCapabilities: {} };
  const error = new RpcError(code, "Cannot go on", details);
  const unknown = older.map(() => [-32603, undefined]);
  expect(seen("tools/call", error)).toEqual([...unknown, [code, details]]);
});

it("the error for a web page exists at one revision, and its URL is sent to no other (T4, ELIC-09)", () => {
  const details = {
    elicitations: [{ mode: "url", message: "", url: "https://a.b", elicitationId: "1" }],
  };
  const error = new RpcError(-32042, "Visit a page first", details);
  const others = [-32603, undefined];
  expect(seen("tools/call", error)).toEqual([others, others, others, [-32042, details], others]);
});

it.each([-32023, -32050, -32099])("the undefined code %d is not sent (ERR-03)", (code) => {
  const codes = arrived("tools/call", new RpcError(code, "Odd")).map((error) => error.code);
  expect(codes).toEqual(revisions.map(() => -32603));
});

it("a code that is not sent is reported as a loss, and the user may choose another (ERR-03)", () => {
  const error = new RpcError(-32042, "Odd", { a: 1 });
  const losses: Loss[] = [];
  const other = new RpcError(1, "Other");
  const sent = revisions.at(-1)!.projectError!(
    { method: "tools/call", params: {} },
    error,
    (loss) => {
      losses.push(loss);
      return other;
    },
  );
  expect(sent).toBe(other);
  expect(losses).toMatchObject([
    { method: "tools/call", path: "", value: error, reason: expect.stringContaining("-32042") },
  ]);
});

it.each([1234, -32000, -32019, -32100, -32700])("%d is sent unchanged (T9)", (code) => {
  const error = new RpcError(code, "Own", { a: 1 });
  for (const sent of arrived("tools/call", error)) expect(sent).toBe(error);
});

it("the newest revision needs no other translation", () => {
  expect(revisions.at(-1)!.projection).toBeUndefined();
});
