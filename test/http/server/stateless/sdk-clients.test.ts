import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { type Served, serveBoth, serveStateless } from "./support/served.js";

interface Result {
  readonly content: unknown;
}

const textOf = ({ content }: Result): unknown => (content as { text: unknown }[])[0]?.text;

async function handshaking({ url }: Served): Promise<ClientV1> {
  const client = new ClientV1({ name: "v1", version: "1" });
  await client.connect(new HttpV1(new URL(url)) as Parameters<ClientV1["connect"]>[0]);
  onTestFinished(() => client.close());
  return client;
}

/** Connects a client that is pinned to the revision, so that it fails instead of falling back to a handshake. */
async function stateless({ url }: Served): Promise<ClientV2> {
  const client = new ClientV2(
    { name: "v2", version: "2" },
    {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      capabilities: { elicitation: { form: {} } },
    },
  );
  await client.connect(new HttpV2(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

test("official clients of both kinds work at one URL at the same time (ERA-16)", async () => {
  const served = await serveBoth();
  const [old, now] = await Promise.all([handshaking(served), stateless(served)]);
  const lists = await Promise.all([old.listTools(), now.listTools()]);
  expect(lists[0].tools.length).toBe(lists[1].tools.length);
  const calls = Array.from({ length: 20 }, (_, index) => {
    const call = { name: "echo", arguments: { index } };
    return Promise.all([old.callTool(call), now.callTool(call)]);
  });
  for (const [index, results] of (await Promise.all(calls)).entries()) {
    expect(results.map((result) => textOf(result as Result))).toEqual(
      results.map(() => JSON.stringify({ index })),
    );
  }
  expect(served.handler.sessions).toBe(1);
});

test.each([
  ["of strings", { region: "日本語", place: { city: " Rome " } }],
  ["of integers and booleans", { priority: -42, urgent: false }],
  ["without a value", { region: null }],
  ["that look encoded", { region: "=?base64?SGVsbG8=?=" }],
])(
  "the official client repeats arguments %s, and our server accepts them (XH-02)",
  async (_, args) => {
    const client = await stateless(await serveStateless());
    await client.listTools();
    const result = await client.callTool({ name: "route", arguments: args });
    expect(textOf(result)).toBe(JSON.stringify(args));
  },
);

test("without the list, the client sends no headers, is refused, and fetches the list (XH-13, XH-16)", async () => {
  const served = await serveStateless();
  const client = await stateless(served);
  const result = await client
    .callTool({ name: "route", arguments: { region: "us" } })
    .catch((error: { code?: number }) => error.code);
  expect([-32020, '{"region":"us"}']).toContain(
    typeof result === "number" ? result : textOf(result as Result),
  );
});

test("notifications precede the response, and disconnecting cancels (SHTTP-13, SHTTP-19)", async () => {
  const served = await serveBoth();
  const client = await stateless(served);
  const seen: number[] = [];
  const onprogress = ({ progress }: { progress: number }): number => seen.push(progress);
  await client.callTool({ name: "steps" }, { onprogress });
  expect(seen).toEqual([1, 2, 3]);
  const leaving = new AbortController();
  const called = client.callTool({ name: "wait" }, { signal: leaving.signal });
  called.catch(() => {});
  await expect.poll(() => served.called).toContain("wait");
  leaving.abort();
  await expect(called).rejects.toThrow();
  await expect.poll(() => served.aborted).toEqual(["wait"]);
});

test("a subscription receives change notifications and its end (LIST-01, LIST-10)", async () => {
  const served = await serveBoth();
  const client = await stateless(served);
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => void changes++);
  const subscription = await client.listen({ toolsListChanged: true });
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
  served.tools.add({ name: "new", inputSchema: { type: "object" } }, () => ({ content: [] }));
  await expect.poll(() => changes).toBe(1);
  await served.handler.close(1000);
  expect(await subscription.closed).toBe("graceful");
});
