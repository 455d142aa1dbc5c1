import { createAdaptorServer } from "@hono/node-server";
import { newSessionId, opensSession, resultOf, typed } from "./bare-answers.mjs";
import { tellPort } from "./port.mjs";

const shaped = process.env.REVISION === "2026-07-28" ? typed : (result) => result;

tellPort(createAdaptorServer({ fetch }));

async function fetch(request) {
  const message = JSON.parse(await request.text());
  const { id, method } = message;
  if (id === undefined) return new Response(null, { status: 202 });
  const headers = { "Content-Type": "application/json" };
  if (opensSession(method)) headers["Mcp-Session-Id"] = newSessionId();
  const answer = { jsonrpc: "2.0", id, result: shaped(resultOf(message)) };
  return new Response(JSON.stringify(answer), { headers });
}
