import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { bridge } from "@mcp-codegen/bridge";
import { listen } from "@mcp-codegen/runtime/http/node";
import { connect, connectInMemory, createHttpHandler } from "@mcp-codegen/universal";
import { only, type Upstream, upstreamAt } from "./support/stage.js";

const NEWEST = "2026-07-28";
const keys = [new Uint8Array(32).fill(7)];

interface Choice {
  readonly headers: IncomingMessage["headers"];
  /** The number of the request, starting at 0. */
  readonly count: number;
}

/** Starts a proxy that chooses one of several addresses for each request. */
async function proxy(addresses: readonly string[], choose: (choice: Choice) => number) {
  let count = 0;
  const server = createServer((from, to) => {
    const { method = "", headers, url = "" } = from;
    const chosen = new URL(url, addresses[choose({ headers, count: count++ })]);
    const onward = request(chosen, { method, headers }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(to);
    });
    onward.on("error", () => to.destroy());
    to.on("close", () => onward.destroy());
    from.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const authenticate = ({ header }: { header(name: string): string | undefined }) => ({
  principal: header("authorization") ?? "none",
});

/** Starts two bridges in front of one server, behind a proxy that chooses one of them for each request. */
async function behindProxy(
  behind: Upstream,
  choose: (choice: Choice) => number,
  hasSharedKeys = true,
) {
  const instances = await Promise.all(
    [0, 1].map(async () => {
      const server = await bridge(() => connectInMemory(behind.server), {
        server: hasSharedKeys ? { rounds: { keys } } : {},
        held: { ttl: 60_000 },
        onerror: () => {},
      });
      onTestFinished(() => server.close());
      const http = await listen(createHttpHandler(server, { authenticate }));
      onTestFinished(() => http.close());
      return http.url;
    }),
  );
  const url = await proxy(instances, choose);
  const connectTo = async (id: string, name: string) => {
    const client = await connect(url, {
      revisions: only(id),
      eras: false,
      headers: { authorization: name },
      onElicit: () => ({ action: "accept", content: { code: name } }),
    });
    onTestFinished(() => client.close());
    return client;
  };
  return { url, connectTo };
}

const roundRobin = ({ count }: Choice) => count % 2;
/** Sends all requests of one sender to the same instance. */
const bySender = ({ headers }: Choice) => (headers.authorization ?? "").length % 2;

describe("two instances behind a proxy", () => {
  it("answer each call once if requests of a sender reach one of them", async () => {
    const behind = upstreamAt("2025-11-25");
    const { connectTo } = await behindProxy(behind, bySender);
    for (const name of ["ada", "bill"]) {
      const client = await connectTo(NEWEST, name);
      const { content } = await client.callTool("pay");
      expect(content).toEqual([{ type: "text", text: `accept ${name}` }]);
    }
    expect(behind.effects["pay"]).toBe(2);
  });

  it.each([
    ["with the same keys", true, "is held by another process"],
    ["with keys of their own", false, "requestState"],
  ])("refuse an answer to a call of the other one, %s", async (_, hasSharedKeys, problem) => {
    const behind = upstreamAt("2025-11-25");
    const { url } = await behindProxy(behind, roundRobin, hasSharedKeys);
    const call = async (more: object) => {
      const meta = {
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
      };
      const params = { name: "pay", arguments: {}, ...more, _meta: meta };
      const answer = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": NEWEST,
          "mcp-method": "tools/call",
          "mcp-name": "pay",
          authorization: "ada",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      const text = await answer.text();
      return JSON.parse(text.replace(/^[^{]*data: /s, "")) as {
        result: { inputRequests: object; requestState: string };
        error: { code: number; message: string };
      };
    };
    const { result } = await call({});
    const [key] = Object.keys(result.inputRequests);
    const given = {
      inputResponses: { [key!]: { action: "accept", content: { code: "42" } } },
      requestState: result.requestState,
    };
    const { error } = await call(given);
    expect(error.code).toBe(-32_602);
    expect(error.message).toContain(problem);
    // The call continues at the instance that holds it.
    expect((await call(given)).result).toMatchObject({ content: [{ text: "accept 42" }] });
    expect(behind.effects["pay"]).toBe(1);
  });

  it("pass on what a stateless server asks, although each request reaches another one", async () => {
    const behind = upstreamAt(NEWEST);
    const { connectTo } = await behindProxy(behind, roundRobin);
    const client = await connectTo(NEWEST, "ada");
    const { content } = await client.callTool("twice");
    expect(content).toEqual([{ type: "text", text: "accept accept" }]);
    expect(behind.effects["twice"]).toBe(3);
  });
});
