import { expect, test } from "vitest";
import { tool, until } from "./support/calls.js";
import { fieldsOf, request } from "./support/raw-http.js";
import { Served, STATELESS } from "./support/served.js";

const authenticate = (head: { header(name: string): string | undefined }) => ({
  principal: head.header("authorization") ?? "",
});

function from(principal: string, name: string, signal?: AbortSignal): Request {
  const body = request("tools/call", tool(name));
  const headers = { ...Object.fromEntries(fieldsOf(body)), Authorization: principal };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return new Request("http://localhost/mcp", signal ? { ...init, signal } : init);
}

test("maxRequestsPerPrincipal limits the requests of one sender, also at the start", async () => {
  const served = await new Served(STATELESS).listen({ authenticate, maxRequestsPerPrincipal: 3 });
  const statuses: number[] = [];
  const requested = Array.from({ length: 10 }, async () => {
    statuses.push((await served.handler(from("a", "wait"))).status);
  });
  await until(() => statuses.length === 7);
  expect(statuses).toEqual(statuses.map(() => 429));
  expect((await served.handler(from("b", "echo"))).status).toBe(200);
  served.gate.open();
  await Promise.all(requested);
  expect(statuses.filter((status) => status === 200).length).toBe(3);
  expect((await served.handler(from("a", "echo"))).status).toBe(200);
});

test("a sender that cancels requests again and again does not slow the others (H17)", async () => {
  const served = await new Served(STATELESS, { limits: { incoming: 10 } }).listen({ authenticate });
  for (let called = 1; called <= 10; called++) {
    const leaving = new AbortController();
    void served.handler(from("a", "wait", leaving.signal));
    await until(() => served.called.length === called);
    leaving.abort();
  }
  const call = async (principal: string) =>
    (await served.handler(from(principal, "echo"))).json() as Promise<{ error?: object }>;
  expect((await call("a")).error).toMatchObject({
    code: -32603,
    message: expect.stringContaining("Busy"),
  });
  expect((await call("b")).error).toBeUndefined();
  served.gate.open();
  await until(() => served.aborted.length === 10);
  expect((await call("a")).error).toBeUndefined();
});
