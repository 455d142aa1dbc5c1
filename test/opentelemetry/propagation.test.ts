import { context, propagation, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import * as r20251125 from "../../generated/2025-11-25/index.js";
import { Client, Server } from "../../generated/2026-07-28/index.js";
import { tracing, type TracingOptions } from "../../runtime/opentelemetry/index.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { idOf, parentOf, setUp, Spans, traceOf } from "./support.js";

setUp();

const info = { name: "test", version: "1.0.0" };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Runs a client that traces, and returns what its server receives in `_meta`. */
async function sentBy(options: TracingOptions, run: (client: Client) => Promise<unknown>) {
  let meta: Readonly<Record<string, unknown>> | undefined;
  const server = new Server(
    info,
    {
      "tools/call": (_, call) => {
        meta = call.meta;
        return { content: [] };
      },
    },
    {},
  );
  const client = new Client(info, {}, { features: [tracing(options)] });
  const [ours, theirs] = memoryPair();
  await server.connect(theirs);
  await client.connect(ours);
  closing.push(() => client.close());
  await run(client);
  return meta!;
}

const callOne = (client: Client): Promise<unknown> => client.callTool({ name: "t" });

describe("the context of a trace in messages", () => {
  it("has the format of W3C, next to the other members of _meta (META-17)", async () => {
    const spans = new Spans();
    const baggage = propagation.createBaggage({ tenant: { value: "a b" } });
    const meta = await sentBy({ tracerProvider: spans.provider }, (client) =>
      context.with(propagation.setBaggage(context.active(), baggage), () =>
        client.callTool({ name: "t", _meta: { "acme/x": 1, traceparent: "old" } as never }),
      ),
    );
    const span = spans.named("tools/call t");
    expect(meta).toMatchObject({
      traceparent: `00-${traceOf(span)}-${idOf(span)}-01`,
      baggage: "tenant=a%20b",
      "acme/x": 1,
    });
    expect(meta).toHaveProperty(["io.modelcontextprotocol/protocolVersion"]);
  });

  it("has no other members, whatever the propagator writes (META-17)", async () => {
    const parent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const propagator = {
      inject: (_: unknown, carrier: unknown, setter: { set(...args: unknown[]): void }) => {
        for (const member of ["b3", "traceparent", "uber-trace-id"])
          setter.set(carrier, member, parent);
        for (const member of ["tracestate", "baggage"]) setter.set(carrier, member, "nonsense!");
      },
      extract: (given: unknown) => given,
    } as unknown as NonNullable<TracingOptions["propagation"]>;
    const meta = await sentBy({ propagation: propagator }, (client) =>
      client.callTool({ name: "t" }),
    );
    expect(meta["traceparent"]).toBe(parent);
    expect(Object.keys(meta).filter((member) => !member.includes("/"))).toEqual(["traceparent"]);
  });

  it("is absent if it is switched off or no span is active", async () => {
    const spans = new Spans();
    const untraced = await sentBy({}, callOne);
    const unspread = await sentBy({ tracerProvider: spans.provider, propagation: false }, callOne);
    for (const meta of [untraced, unspread]) expect(meta).not.toHaveProperty("traceparent");
    expect(spans.all).toHaveLength(1);
  });

  it("covers requests and notifications of handlers", async () => {
    const spans = new Spans();
    const features = () => [tracing({ tracerProvider: spans.provider })];
    const server = new r20251125.Server(
      info,
      {
        "tools/call": async (_, { request, notify }) => {
          await notify("notifications/message", { level: "info", data: 1 });
          await request("roots/list");
          expect(trace.getSpan(context.active())).toBeDefined();
          return { content: [] };
        },
      },
      { features: features(), capabilities: { logging: {} } },
    );
    const client = new r20251125.Client(
      info,
      { "roots/list": () => ({ roots: [] }), "notifications/message": () => {} },
      { features: features() },
    );
    const [ours, theirs] = memoryPair();
    await server.connect(theirs);
    await client.connect(ours);
    closing.push(() => client.close());
    await client.callTool({ name: "t", arguments: {} });
    await expect.poll(() => spans.all).toHaveLength(6);
    const byId = new Map(spans.all.map((span) => [idOf(span), span]));
    for (const method of ["roots/list", "notifications/message"]) {
      const [sent, received] = [2, 1].map((kind) =>
        spans.all.find((span) => span.name === method && span.kind === kind),
      );
      expect(parentOf(received!)).toBe(idOf(sent!));
      expect(byId.get(parentOf(sent!)!)?.name).toBe("tools/call t");
    }
    expect(new Set(spans.all.map(traceOf)).size).toBe(1);
  });

  it("has precedence over the active span of the server, which is linked", async () => {
    const spans = new Spans();
    const { sending, middleware } = tracing({ tracerProvider: spans.provider });
    expect(sending).toHaveLength(1);
    const http = spans.provider.getTracer("http").startSpan("POST");
    const ambient = trace.setSpan(ROOT_CONTEXT, http);
    const meta = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
    const handling = {
      session: { revision: { id: "r", families: [] } },
      meta,
      signal: new AbortController().signal,
    };
    const call = { kind: "request", method: "tools/list", params: {}, context: handling } as never;
    await context.with(ambient, () => middleware[0]!(call, async () => ({})));
    const span = spans.named("tools/list");
    expect(parentOf(span)).toBe("b7ad6b7169203331");
    expect(span.links.map((link) => link.context.spanId)).toEqual([http.spanContext().spanId]);
  });

  it("is ignored if it is malformed", async () => {
    const spans = new Spans();
    const { middleware } = tracing({ tracerProvider: spans.provider });
    for (const traceparent of ["", "00-zz-yy-01", 7, null, "00-".padEnd(10_000, "0")]) {
      const handling = {
        session: { revision: { id: "r", families: [] } },
        meta: { traceparent, tracestate: {}, baggage: ["a"] },
        signal: new AbortController().signal,
      };
      const call = { kind: "request", method: "m", params: {}, context: handling } as never;
      await middleware[0]!(call, async () => ({}));
    }
    expect(spans.all.map(parentOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
