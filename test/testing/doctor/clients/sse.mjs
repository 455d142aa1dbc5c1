// A client over HTTP+SSE by hand, with the fault that its second argument names. Usage: sse.mjs URL [fault]
import { fetch } from "./fetch.mjs";

const [, , url, fault] = process.argv;
const VERSION = "2024-11-05";
const waiting = new Map();
let endpoint;

const send = (message) =>
  fetch(fault === "answers-elsewhere" && message.method === undefined ? url : endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
let next = 1;
const request = (method, params, id = fault === "id-again" ? 7 : next++) =>
  new Promise((resolve) => {
    waiting.set(id, resolve);
    void send({ id, method, params });
  });

function receive(message) {
  if (message.method === undefined) return waiting.get(message.id)?.(message);
  if (message.id === undefined) return undefined;
  const isPing = message.method === "ping" && fault !== "ping-refused";
  const error = { code: -32601, message: "Method not found" };
  return send({ id: message.id, ...(isPing ? { result: {} } : { error }) });
}

async function converse() {
  const clientInfo = { name: "sse", version: "1.0.0" };
  const opening = { protocolVersion: VERSION, capabilities: {}, clientInfo };
  const { result } = await request("initialize", opening);
  if (result.protocolVersion !== VERSION) process.exit(0);
  await send({ method: "notifications/initialized" });
  const first = await request("tools/list", {});
  const cursor = first.result.nextCursor;
  if (cursor !== undefined && fault !== "one-page") await request("tools/list", { cursor });
  await request("tools/call", { name: "echo", arguments: { text: "hello" } });
}

const accept = "text/event-stream";
const response = await fetch(url, { headers: { accept } });
let text = "";
for await (const chunk of response.body) {
  const events = (text + chunk).split("\n\n");
  text = events.pop();
  for (const event of events) {
    const data = /^data: (.*)$/m.exec(event)?.[1];
    if (!/^event: endpoint$/m.test(event)) receive(JSON.parse(data));
    else {
      endpoint = new URL(data, url);
      if (fault === "drops-query") endpoint.search = "";
      if (fault === "appends-endpoint" && URL.canParse(data)) endpoint = new URL(`/${data}`, url);
      const isOwn = endpoint.origin === new URL(url).origin;
      if (!isOwn && fault !== "trusts-endpoint") process.exit(1);
      void converse();
    }
  }
}
