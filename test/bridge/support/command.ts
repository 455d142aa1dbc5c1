import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { createHttpHandler } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { bin } from "../../cli/cli.js";
import { program } from "./child.js";
import { only, upstreamAt } from "./stage.js";

/** Creates a folder with files. Content that is not text is written as JSON. */
export function folder(files: Readonly<Record<string, unknown>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), "mcp-bridge-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** Describes a server as hosts do. */
export const entry = (name: string) => ({
  command: process.execPath,
  args: [program, "2025-11-25", name],
});

/** Starts a bridge over HTTP and waits for its address. */
export async function served(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = tmpdir()) {
  const started = spawn(process.execPath, [bin, "bridge", ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void started.kill("SIGKILL"));
  let text = "";
  started.stderr.setEncoding("utf8").on("data", (more: string) => (text += more));
  await vi.waitFor(() => expect(text).toMatch(/ at http:\/\/\S+;/), { timeout: 90_000 });
  return { url: / at (http:\/\/\S+);/.exec(text)![1]!, process: started, text: () => text };
}

/** Returns the exit code of a process. */
export const over = (started: ChildProcess) =>
  new Promise<number | null>((resolve) => started.once("exit", resolve));

/** Starts a server over HTTP and records the `Authorization` values that it receives. */
export async function remote(id: string) {
  const { server, effects } = upstreamAt(id);
  const seen: string[] = [];
  const handler = createHttpHandler(server, {
    authenticate: ({ header }) => {
      seen.push(header("authorization") ?? "");
      return "anonymous";
    },
  });
  const http = await listen(handler);
  onTestFinished(() => http.close());
  return { url: http.url, effects, seen };
}

/** Returns the options of a client that accepts forms. */
export const answering = (id: string) => ({
  revisions: only(id),
  eras: false as const,
  onElicit: () => ({ action: "accept", content: { code: "42", text: "yes" } }) as const,
});
