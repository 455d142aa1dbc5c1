// Servers that do not behave at all, by name.
import { createInterface } from "node:readline";

const how = process.argv[2];
const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const lines = () => createInterface({ input: process.stdin });

const behaviours = {
  /** Reads, and answers nothing. */
  silent: () => process.stdin.resume(),
  /** Opens, then answers nothing more. */
  hanging: () =>
    lines().once("line", (line) => {
      write({ id: JSON.parse(line).id, result: opening() });
      setInterval(() => {}, 1000);
    }),
  /** Writes as fast as it can. */
  chattering: () => {
    const text = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x".repeat(10_000) } })}\n`;
    const more = () => {
      while (process.stdout.write(text));
      process.stdout.once("drain", more);
    };
    more();
  },
  /** Writes text without a line end. */
  endless: () => {
    const text = "x".repeat(65_536);
    const more = () => {
      while (process.stdout.write(text));
      process.stdout.once("drain", more);
    };
    more();
  },
  /** Exits before it reads anything. */
  dead: () => {
    console.error("Error: API_KEY is missing");
    process.exit(1);
  },
  /** Exits at the first request after the opening. */
  dying: () =>
    lines().on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "initialize") write({ id, result: opening() });
      else if (id !== undefined) process.exit(3);
    }),
  /** Ignores the end of its input and SIGTERM, and has a child that does so, too. */
  stubborn: async () => {
    const { spawn } = await import("node:child_process");
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1000);
    if (process.argv[3] === "child") return;
    spawn(process.execPath, [process.argv[1], "stubborn", "child"], { stdio: "inherit" });
    lines().on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      if (method === "initialize") write({ id, result: opening() });
      else if (method === "ping") write({ id, result: {} });
      else write({ id, error: { code: -32601, message: "Method not found" } });
    });
  },
};

function opening() {
  return {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "broken", version: "1.0.0" },
  };
}

await behaviours[how]();
