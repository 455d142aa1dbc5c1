import { expect, it } from "vitest";
import { requestRates } from "../../runtime/engine/define/limits.js";
import type { RequestContext } from "../../runtime/engine/receive/request-context.js";

const from = (connection: object) => ({ reply: { connection } }) as RequestContext;

it("counts an anonymous sender as long as its connection exists, however many others come", () => {
  const limits = { "tools/call": { perSecond: 1e-9, burst: 1, anonymous: true } };
  const { admits } = requestRates(limits).get("tools/call")!;
  const first = {};
  expect(admits(from(first))).toBe(true);
  for (let count = 0; count < 20_000; count++) expect(admits(from({}))).toBe(true);
  expect(admits(from(first))).toBe(false);
});
