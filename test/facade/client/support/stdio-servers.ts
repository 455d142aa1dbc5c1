import { McpServer as OfficialServer } from "@modelcontextprotocol/server";
import { serveStdio as serveOfficially } from "@modelcontextprotocol/server/stdio";
import { revisions } from "@mcp-codegen/universal";
import { StdioServerTransport } from "../../../../runtime/stdio/serve-stdio.js";
import { talkativeServer } from "./talkative-server.js";

/** Runs one of several server programs, selected by an argument. */
export async function main(): Promise<void> {
  const [, , kind = "all", argument] = process.argv;
  switch (kind) {
    case "silent":
      return answerHandshakes();
    case "late":
      return void setTimeout(() => serveOfficially(officialServer), 500);
    case "slow":
      await new Promise((done) => setTimeout(done, 500));
      return talkativeServer(revisions).connect(new StdioServerTransport());
    case "exits":
      return exitOnProbe();
    case "official":
      return void serveOfficially(officialServer);
    default: {
      const some = revisions.filter(({ id }) => id === argument);
      const server = talkativeServer(some.length > 0 ? some : revisions);
      await server.connect(new StdioServerTransport());
    }
  }
}

const initialized = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  serverInfo: { name: "script", version: "0" },
};

/** Answers handshakes only. */
function answerHandshakes(): void {
  lines(({ id, method }) => {
    if (method !== "initialize") return;
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: initialized })}\n`);
  });
}

/** Exits when it receives a request before the handshake, as some servers do. */
function exitOnProbe(): void {
  lines(({ id, method }) => {
    if (method === "server/discover") process.exit(3);
    if (method !== "initialize") return;
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: initialized })}\n`);
  });
}

function lines(receive: (message: { id?: unknown; method: string }) => void): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (text: string) => {
    const all = (rest + text).split("\n");
    rest = all.pop()!;
    for (const line of all) receive(JSON.parse(line));
  });
}

function officialServer(): OfficialServer {
  const server = new OfficialServer({ name: "official", version: "1.0.0" });
  server.registerTool("hello", { description: "Greets" }, async () => ({
    content: [{ type: "text", text: "Hello" }],
  }));
  return server;
}
