import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "../../../generated/universal/index.js";

const JSON_FIELDS = { "Content-Type": "application/json" };

/** Starts a server that requests roots while it answers a call. `lose` decides whether each response is lost. */
async function asking(lose: (response: ServerResponse, tries: number) => boolean) {
  let call: { response: ServerResponse; id: unknown } | undefined;
  let tries = 0;
  const take = (message: Record<string, unknown>, response: ServerResponse): void => {
    const { id, method, result } = message;
    if (method === "initialize") {
      const serverInfo = { name: "asking", version: "1" };
      const opened = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo };
      response.writeHead(200, { ...JSON_FIELDS, "Mcp-Session-Id": "one" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: opened }));
    } else if (method === "tools/call") {
      call = { response, id };
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const question = { jsonrpc: "2.0", id: "question", method: "roots/list" };
      response.write(`data: ${JSON.stringify(question)}\n\n`);
    } else if (result === undefined) {
      response.writeHead(202).end();
    } else if (!lose(response, ++tries)) {
      response.writeHead(202).end();
      const content = [{ type: "text", text: JSON.stringify(result) }];
      const answer = { jsonrpc: "2.0", id: call!.id, result: { content } };
      call!.response.end(`data: ${JSON.stringify(answer)}\n\n`);
    }
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (request.method === "POST") take(JSON.parse(body), response);
      else response.writeHead(405).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const client = await connect(url, {
    eras: false,
    roots: [{ uri: "file:///work" }],
    onerror: () => {},
  });
  onTestFinished(() => client.close());
  return { client, tries: () => tries };
}

it("a response is sent again if it may not have arrived: the connection broke, or a proxy got no response", async () => {
  const { client, tries } = await asking((response, count) => {
    if (count === 1) response.destroy();
    else if (count === 2) response.writeHead(502).end();
    return count < 3;
  });
  const { content } = await client.callTool("roots");
  expect(JSON.stringify(content)).toContain("file:///work");
  expect(tries()).toBe(3);
});

it("a response is not sent again after the server refused it", async () => {
  const { client, tries } = await asking((response) => {
    response.writeHead(400).end();
    return true;
  });
  const calling = client.callTool("roots", {}, { timeout: 1500 });
  await expect(calling).rejects.toThrow("1500 ms");
  expect(tries()).toBe(1);
});
