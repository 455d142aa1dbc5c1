import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
createInterface(server.stdout).on("line", (line) => {
  const { id, result } = JSON.parse(line);
  waiting.get(id)?.(result);
});
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const request = (id, method, params) =>
  new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });

const clientInfo = { name: "player", version: "1.0.0" };
await request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
send({ method: "notifications/initialized" });
const { content } = await request(2, "tools/call", { name: "roll" });
console.log(content[0].text);
server.stdin.end();
