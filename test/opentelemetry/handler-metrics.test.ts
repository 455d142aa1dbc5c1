import { expect, it, onTestFinished } from "vitest";
import { createHttpHandler, type HandlerCounts } from "../../runtime/http/server/index.js";
import { NO_COUNTS } from "../../runtime/http/server/handler-state.js";
import { handlerMetrics } from "../../runtime/opentelemetry/index.js";
import { initialize, RawClient } from "../http/server/serve.js";
import { ToyServer } from "../http/server/toy-server.js";
import { Meters } from "./meters.js";

it("every count of a handler is observed when metrics are collected", () => {
  const meters = new Meters();
  const figures = Object.keys(NO_COUNTS).filter((name) => name !== "refusals");
  let reads = 0;
  const counted = Object.fromEntries(figures.map((name, index) => [name, index + 1]));
  const handler = {
    get counts(): HandlerCounts {
      reads += 1;
      const refusals = [
        { status: 503, reason: "requests", count: 7 },
        { status: 401, count: 2 },
      ];
      return { ...NO_COUNTS, ...counted, refusals };
    },
  };
  const attributes = { "http.route": "/mcp" };
  const stop = handlerMetrics(handler, { meterProvider: meters.provider, attributes });
  expect(reads).toBe(0);
  const observed = meters.collect();
  expect(reads).toBe(1);
  const refusals = observed.filter(({ name }) => name === "mcp_codegen.http.refusals");
  expect(refusals.map(({ value, attributes: found }) => [value, found])).toEqual([
    [7, { ...attributes, "http.response.status_code": 503, "error.type": "requests" }],
    [2, { ...attributes, "http.response.status_code": 401, "error.type": "401" }],
  ]);
  const others = observed.filter((one) => !refusals.includes(one));
  expect(others.map(({ value }) => value).toSorted((a, b) => a - b)).toEqual(
    figures.map((_, index) => index + 1),
  );
  for (const { name } of others)
    expect(meters.options.get(name)!.unit).toMatch(/^(By|\{[a-z]+\})$/);
  stop();
  expect(meters.collect()).toEqual([]);
});

it("a handler reports its current counts and its refusals", async () => {
  const meters = new Meters();
  const handler = createHttpHandler(new ToyServer().server, { onerror: () => {} });
  onTestFinished(() => handler.close(0));
  handlerMetrics(handler, { meterProvider: meters.provider });
  const client = new RawClient({
    name: "web",
    url: "",
    handler,
    fetch: (init) => handler(new Request("http://localhost/mcp", init)),
  });
  await client.initialize("2025-11-25");
  await client.post(initialize("2025-11-25"), { Accept: "text/plain" });
  const values = Object.fromEntries(meters.collect().map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({
    "mcp_codegen.http.sessions": 1,
    "mcp_codegen.http.streams": 0,
    "mcp_codegen.http.refusals": 1,
  });
});
