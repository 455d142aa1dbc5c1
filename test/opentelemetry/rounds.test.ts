import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { tracing } from "../../runtime/opentelemetry/index.js";
import { callWithQuestion } from "./call-with-question.js";
import { idOf, parentOf, setUp, Spans, traceOf } from "./support.js";

setUp();

it("a request of several rounds is one span of the client and one span of the server for each round (META-17)", async () => {
  const spans = new Spans();
  const client = await callWithQuestion(() => [tracing({ tracerProvider: spans.provider })]);
  await expect.poll(() => spans.all).toHaveLength(5);
  await client.close();
  const [call] = spans.all.filter(({ kind }) => kind === SpanKind.CLIENT);
  expect(call!.name).toBe("tools/call t");
  const others = spans.all.filter((span) => span !== call && span.name !== "server/discover");
  expect(others.map(({ name }) => name).toSorted()).toEqual([
    "roots/list",
    "tools/call t",
    "tools/call t",
  ]);
  expect(others.map(parentOf)).toEqual(others.map(() => idOf(call!)));
  expect(others.map(traceOf)).toEqual(others.map(() => traceOf(call!)));
  expect(spans.all.map(({ status }) => status.code)).not.toContain(SpanStatusCode.ERROR);
});
