import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { newSessionId } from "./bare-answers.mjs";
import { behind } from "./behind.mjs";
import { tellPort } from "./port.mjs";

/** Programs by session, each with the responses that wait for its answers. */
const sessions = new Map();

function start() {
  const [command, ...args] = behind;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  createInterface(child.stdout).on("line", (line) => {
    const { id } = JSON.parse(line);
    const response = waiting.get(id);
    waiting.delete(id);
    const fields = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(line),
    };
    response?.writeHead(200, fields).end(line);
  });
  return { child, waiting };
}

tellPort(
  createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      let id = request.headers["mcp-session-id"];
      if (id === undefined) {
        id = newSessionId();
        sessions.set(id, start());
        response.setHeader("Mcp-Session-Id", id);
      }
      const { child, waiting } = sessions.get(id);
      if (message.id === undefined) response.writeHead(202, { "Content-Length": 0 }).end();
      else waiting.set(message.id, response);
      child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  }),
);
