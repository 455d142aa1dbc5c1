import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { newSessionId } from "./bare-answers.mjs";
import { behind } from "./behind.mjs";
import { tellPort } from "./port.mjs";

/** The programs by session. Stateless requests share one program. */
const programs = new Map();
let lastId = 0;

function start() {
  const [command, ...args] = behind;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  createInterface(child.stdout).on("line", (line) => {
    const answer = JSON.parse(line);
    const asked = waiting.get(answer.id);
    if (asked === undefined) return;
    waiting.delete(answer.id);
    answer.id = asked.id;
    const body = JSON.stringify(answer);
    const fields = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    asked.response.writeHead(200, fields).end(body);
  });
  return { child, waiting };
}

tellPort(
  createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      let session = request.headers["mcp-session-id"] ?? "none";
      if (message.method === "initialize") {
        session = newSessionId();
        response.setHeader("Mcp-Session-Id", session);
      }
      if (!programs.has(session)) programs.set(session, start());
      const { child, waiting } = programs.get(session);
      if (message.id === undefined) response.writeHead(202, { "Content-Length": 0 }).end();
      else {
        const id = ++lastId;
        waiting.set(id, { id: message.id, response });
        message.id = id;
      }
      child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  }),
);
