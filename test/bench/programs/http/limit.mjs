import { createServer } from "node:http";
import { echo } from "../tools.mjs";
import { newSessionId, opensSession, progressOf, resultOf, typed } from "./bare-answers.mjs";
import { tellPort } from "./port.mjs";

const JSON_TYPE = "application/json";
const STREAM = { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" };
const shaped = process.env.REVISION === "2026-07-28" ? typed : (result) => result;

tellPort(
  createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      answer(JSON.parse(bytes.toString()), response);
    });
  }),
);

function answer(message, response) {
  const { id, method, params } = message;
  if (id === undefined) response.writeHead(202, { "Content-Length": 0 }).end();
  else if (params.name === "tell") stream(id, params, response);
  else {
    const body = JSON.stringify({ jsonrpc: "2.0", id, result: shaped(resultOf(message)) });
    const fields = { "Content-Type": JSON_TYPE, "Content-Length": Buffer.byteLength(body) };
    if (opensSession(method)) fields["Mcp-Session-Id"] = newSessionId();
    response.writeHead(200, fields).end(body);
  }
}

function stream(id, params, response) {
  response.writeHead(200, STREAM);
  response.write(`data: ${JSON.stringify(progressOf(params))}\n\n`);
  const result = shaped(echo(params.arguments));
  response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
}
