import { expect, it, onTestFinished } from "vitest";
import { connected } from "./support/clients.js";
import { event, serve, resultFor, stream, toolResult } from "./support/mcp-server.js";

const notifications = (progress: number, progressToken: unknown): string =>
  event({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } });

it("progress with an unknown token is reported, decreasing or late progress is dropped, and a flood is throttled (I07)", async () => {
  const server = await serve({
    on: {
      "tools/call": (seen, response) => {
        const token: unknown = seen.body.params["_meta"].progressToken;
        stream(
          response,
          notifications(1, "unknown") + notifications(2, token) + notifications(1, token),
        );
        for (let count = 3; count <= 20_000; count++) response.write(notifications(count, token));
        response.end(event(resultFor(seen, toolResult("done"))) + notifications(1e9, token));
      },
    },
  });
  const { client, errors } = await connected(server);
  const received: number[] = [];
  const onprogress = (step: { progress: number }): void => void received.push(step.progress);
  await client.callTool({ name: "work" }, { onprogress });
  await client.ping();
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("which is not a known token"),
    expect.stringContaining("values that do not increase"),
  ]);
  expect(received).toEqual(received.toSorted((a, b) => a - b));
  expect([received[0], received.at(-1)]).toEqual([2, 20_000]);
  expect(received.length).toBeLessThan(5000);
});

it("requests to a silent server time out, are cancelled and are forgotten (I16, I18)", async () => {
  const server = await serve({ on: { ping: (_, response) => stream(response) } });
  const { client } = await connected(server, { listen: false });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => client.ping(undefined, { timeout: 100 })),
  );
  for (const one of outcomes) expect(one).toMatchObject({ reason: { code: "REQUEST_TIMEOUT" } });
  await server.nth("notifications/cancelled", 20);
  await expect.poll(() => server.streaming()).toBe(0);
});

it("the end of a server rejects the pending requests without unhandled rejections (I19)", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const server = await serve({
    on: {
      ping: (_, response) => void setTimeout(() => response.destroy(), 20),
      "tools/call": (_, response) => {
        stream(response);
        setTimeout(() => response.destroy(), 20);
      },
    },
  });
  const { client } = await connected(server, { listen: false });
  void client.ping();
  await expect(client.ping()).rejects.toMatchObject({ code: "HTTP", status: undefined });
  await expect(client.callTool({ name: "work" })).rejects.toMatchObject({
    name: "StreamEndedError",
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
});
