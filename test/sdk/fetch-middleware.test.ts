import * as theirs from "@modelcontextprotocol/client";
import * as ours from "@mcp-codegen/sdk/client";
import { DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment } from "@mcp-codegen/sdk/client/stdio";
import { describe, expect, it, vi } from "vitest";

const answer = () =>
  Promise.resolve(new Response("body", { status: 404, statusText: "Not Found" }));

describe.each([
  ["ours", ours],
  ["the official SDK's", theirs as unknown as typeof ours],
])("fetch middleware: %s", (_, module) => {
  const { applyMiddlewares, createMiddleware, withLogging } = module;

  it("is called from the end of the list", async () => {
    const calls: string[] = [];
    const named = (name: string) =>
      createMiddleware(async (next, input, init) => {
        calls.push(`${name} in`);
        const response = await next(input, init);
        calls.push(`${name} out`);
        return response;
      });
    await applyMiddlewares(named("a"), named("b"))(answer)("https://a.example");
    expect(calls).toEqual(["b in", "a in", "a out", "b out"]);
  });

  it("logs responses and failures, and headers if an option says so", async () => {
    const logger = vi.fn();
    const options = { logger, includeRequestHeaders: true };
    const logged = withLogging(options)(answer);
    await logged("https://a.example", { method: "POST", headers: { a: "1" } });
    const entry = logger.mock.calls[0]![0];
    expect(entry).toMatchObject({ method: "POST", status: 404, statusText: "Not Found" });
    expect([entry.requestHeaders?.get("a"), entry.responseHeaders]).toEqual(["1", undefined]);
    const failing = withLogging(options)(() => Promise.reject(new Error("offline")));
    await expect(failing("https://a.example")).rejects.toThrow("offline");
    expect(logger.mock.lastCall![0]).toMatchObject({ method: "GET", status: 0 });
  });

  it("omits responses below a status", async () => {
    const logger = vi.fn();
    await withLogging({ logger, statusLevel: 500 })(answer)("https://a.example");
    expect(logger).not.toHaveBeenCalled();
  });
});

it("a server receives the environment variables that it needs to find its programs", () => {
  expect(DEFAULT_INHERITED_ENV_VARS).toContain("PATH");
  expect(getDefaultEnvironment()["PATH"]).toBe(process.env["PATH"]);
});

it("elicitation modes are read in the same way as by the official SDK", () => {
  for (const declared of [undefined, {}, { form: {} }, { url: {} }, { form: {}, url: {} }]) {
    expect(ours.getSupportedElicitationModes(declared)).toEqual(
      theirs.getSupportedElicitationModes(declared),
    );
  }
});
