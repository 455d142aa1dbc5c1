import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { logging, tool, until } from "./support/calls.js";
import { type Asking, fieldsOf, request } from "./support/raw-http.js";
import { serveStateless } from "./support/served.js";

/** Returns a request as it is sent. */
function onWire(url: string, name: string, asking: Asking = {}): string {
  const { host, pathname } = new URL(url);
  const body = request("tools/call", tool(name), asking);
  const text = JSON.stringify(body);
  const fields = [["Host", host], ["Content-Length", String(text.length)], ...fieldsOf(body)];
  const head = fields.map(([field, value]) => `${field}: ${value}`).join("\r\n");
  return `POST ${pathname} HTTP/1.1\r\n${head}\r\n\r\n${text}`;
}

test.each([
  ["wait", {}],
  ["tell-and-wait", logging],
])("disconnecting cancels all requests of a connection (%s) (H17, H24)", async (name, asking) => {
  const served = await serveStateless();
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  const warnings: Error[] = [];
  const warn = (warning: Error): unknown => warnings.push(warning);
  process.on("warning", warn);
  socket.write(onWire(served.url, name, asking).repeat(20));
  await until(() => served.called.length === 20);
  socket.destroy();
  await until(() => served.aborted.length === 20);
  process.off("warning", warn);
  expect(warnings).toEqual([]);
  expect(served.errors.filter((error) => error.name !== "DeprecationWarning")).toEqual([]);
});

test("pipelined requests are answered in order (H24)", async () => {
  const served = await serveStateless();
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => (received += text));
  const names = ["wait", "echo", "who", "echo"];
  socket.write(names.map((name, id) => onWire(served.url, name, { id })).join(""));
  await until(() => served.called.length === names.length);
  await sleep(20);
  expect(received).toBe("");
  served.gate.open();
  await until(() => [...received.matchAll(/"id":(\d)/g)].length === names.length);
  expect([...received.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(["0", "1", "2", "3"]);
  socket.destroy();
});
