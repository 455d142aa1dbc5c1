import { describe, expect, onTestFinished, test } from "vitest";
import { createHttpHandler, createSseHandler } from "@mcp-codegen/runtime/http/server";
import { listen } from "@mcp-codegen/runtime/http/node";
import { AuthorizationError } from "@mcp-codegen/runtime/http/client";
import { type ConnectOptions, revisions } from "@mcp-codegen/universal";
import type { Revision } from "@mcp-codegen/runtime";
import { connect } from "./support/connecting.js";
import { talkativeServer } from "./support/talkative-server.js";
import { eventually } from "../../support/eventually.js";

const answers: ConnectOptions = {
  onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
  onSample: () => ({
    role: "assistant",
    content: { type: "text", text: "hi" },
    model: "some model",
  }),
  onRoots: () => [{ uri: "file:///work" }],
};

async function served(some?: readonly Revision[]): Promise<string> {
  const server = talkativeServer(some);
  const { url, close } = await listen(createHttpHandler(server));
  onTestFinished(() => close(0));
  return url;
}

const overHttp = revisions.filter(({ conventions }) => conventions.http === "streamable");

describe.each(overHttp.map((revision) => [revision.id, revision] as const))(
  "a server of %s at a URL",
  (id, revision) => {
    test("is recognised, and requests work in both directions", async () => {
      const client = await connect(await served([revision]), answers);
      expect(client.revision).toBe(id);
      expect((await client.callTool("ask-together")).content).toMatchObject([
        { text: "1 some model" },
      ]);
    });

    test("sends change notifications (T6, T8)", async () => {
      const client = await connect(await served([revision]), answers);
      const received: string[] = [];
      client.on("toolsChanged", () => received.push("tools"));
      await client.subscribe("memory://text", (uri) => received.push(uri));
      await eventually(async () => {
        await client.callTool("change");
        expect(new Set(received)).toEqual(new Set(["memory://text", "tools"]));
      });
    });

    test("stops the handler when the caller aborts (T16)", async () => {
      const client = await connect(await served([revision]), answers);
      const abort = new AbortController();
      const call = client.callTool("wait", undefined, { signal: abort.signal });
      await client.ping();
      abort.abort(new Error("enough"));
      await expect(call).rejects.toThrow("enough");
      await eventually(async () => {
        const { contents } = await client.readResource("memory://text", { cache: "no-store" });
        expect(contents).toMatchObject([{ text: "aborted" }]);
      });
    });
  },
);

test("clients of one URL receive and answer only their own messages (T26, MATRIX-08)", async () => {
  const url = await served();
  const [newest, older] = [revisions.slice(0, 1), revisions.slice(1)];
  const clients = await Promise.all(
    ["a", "b", "c", "d"].map((name, index) =>
      connect(url, {
        ...answers,
        revisions: index % 2 === 0 ? newest : older,
        onElicit: () => ({ action: "accept", content: { name } }),
      }),
    ),
  );
  expect(clients.map(({ era }) => era)).toEqual(["stateless", "session", "stateless", "session"]);
  const results = await Promise.all(
    clients.flatMap((client) => Array.from({ length: 5 }, () => client.callTool("ask"))),
  );
  const names = results.map(({ content }) => (content[0] as { text: string }).text[0]);
  expect(names.join("")).toBe("aaaaabbbbbcccccddddd");
});

test("an unauthorized client receives the authorization error, and no other transport is tried (ERA-10)", async () => {
  const requested: string[] = [];
  const fetch = async (_url: URL, init: RequestInit): Promise<Response> => {
    requested.push(JSON.parse(init.body as string).method);
    return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
  };
  await expect(connect("http://localhost/mcp", { http: { fetch } })).rejects.toThrow(
    AuthorizationError,
  );
  expect(requested).toEqual(["server/discover"]);
});

test("a client that is authorized after the first response continues with the same transport (ERA-10)", async () => {
  const handler = createHttpHandler(talkativeServer());
  let isKnown = false;
  const fetch = async (url: URL, init: RequestInit): Promise<Response> =>
    isKnown ? handler(new Request(url, init)) : new Response(null, { status: 401 });
  const authorize = async (): Promise<boolean> => (isKnown = true);
  const client = await connect("http://localhost/mcp", { http: { fetch, authorize } });
  expect(client.era).toBe("stateless");
});

test("headers are sent with every request", async () => {
  const seen = new Set<string | null>();
  const handler = createHttpHandler(talkativeServer());
  const fetch = (url: URL, init: RequestInit): Promise<Response> => {
    seen.add(new Headers(init.headers).get("x-key"));
    return handler(new Request(url, init));
  };
  const client = await connect("http://localhost/mcp", {
    headers: { "x-key": "1" },
    http: { fetch },
  });
  await client.listTools();
  expect([...seen]).toEqual(["1"]);
});

test("a server with only HTTP+SSE is found after the newer transports (ERA-09)", async () => {
  const oldest = revisions.filter(({ conventions }) => conventions.http === "sse");
  const server = talkativeServer(oldest);
  const handler = createSseHandler(server);
  const { url, close } = await listen({ "/sse": handler, "/messages": handler });
  onTestFinished(() => close(0));
  const client = await connect(url, answers);
  expect(client.revision).toBe(oldest[0]!.id);
  expect((await client.callTool("ask-together")).content).toMatchObject([{ text: "1 some model" }]);
});

test("a new session restores the subscriptions and log level of the old one (LIST-12)", async () => {
  const older = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  let handler = createHttpHandler(talkativeServer(older));
  const fetch = (url: URL, init: RequestInit): Promise<Response> => handler(new Request(url, init));
  const client = await connect("http://localhost/mcp", { http: { fetch } });
  const received: string[] = [];
  client.on("stale", () => received.push("stale"));
  client.on("log", ({ level }) => received.push(level));
  await client.setLogLevel("emergency");
  await client.subscribe("memory://text", (uri) => received.push(uri));
  handler = createHttpHandler(talkativeServer(older));
  await client.ping();
  await eventually(() => expect(received).toEqual(["stale"]));
  await client.callTool("count");
  await client.callTool("change");
  await eventually(() => expect(received).toEqual(["stale", "memory://text"]));
});
