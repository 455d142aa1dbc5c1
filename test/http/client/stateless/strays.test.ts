import { expect, it } from "vitest";
import { answerWith, connected, done, refuseWith } from "./support/scripted.js";
import { answer, complete, event, resultFor, serve, stream, until, Wire } from "./support/wire.js";

it("a response on the stream of another request is reported and dropped (T22)", async () => {
  const server = await serve({
    "tools/call": () => {},
    "prompts/get": (seen, response) => {
      const { id } = seen.body;
      const stray = { jsonrpc: "2.0", id: id - 1, result: complete({ content: ["forged"] }) };
      stream(response, event(stray) + event(resultFor(seen, complete())));
      response.end();
    },
  });
  const wire = new Wire(server.url);
  const call = wire.send("tools/call");
  const prompt = wire.send("prompts/get");
  await wire.answerTo(prompt);
  expect(wire.messages.map(({ id }) => id)).toEqual([prompt]);
  expect(wire.reported).toMatchObject([{ code: "INVALID_MESSAGE" }]);
  expect(wire.failures.has(call)).toBe(false);
});

it("fetching tools takes no longer than the timeout of the request (XH-16, CANC-09)", async () => {
  let pages = 0;
  const { client, server } = await connected({
    "tools/call": refuseWith(400, -32020),
    "tools/list": (seen, response) => {
      pages += 1;
      const page = complete({ tools: [], nextCursor: `${pages}`, ttlMs: 0, cacheScope: "private" });
      setTimeout(() => answer(response, seen, page), 100);
    },
  });
  const call = client.callTool({ name: "x" }, { timeout: 350 });
  await expect(call).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  expect(pages).toBeLessThan(6);
  await until(() => server.streaming() === 0);
});

it("a call whose headers are valid after fetching the tools is sent (XH-16)", async () => {
  const calls: unknown[] = [];
  const { client } = await connected({
    "tools/call": (seen, response) => {
      calls.push(seen.body.id);
      const handle = calls.length === 1 ? refuseWith(400, -32020) : answerWith(done);
      return handle(seen, response);
    },
    "tools/list": answerWith(complete({ tools: [], ttlMs: 0, cacheScope: "private" })),
  });
  expect(await client.callTool({ name: "x" }, { timeout: 5000 })).toMatchObject({ content: [] });
  expect(new Set(calls).size).toBe(2);
});
