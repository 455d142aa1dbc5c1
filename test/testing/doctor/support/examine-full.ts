import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Examination, examineServer } from "@mcp-codegen/testing/doctor";
import { revisions } from "@mcp-codegen/universal/revisions";

const file = join(import.meta.dirname, "../servers/full.mjs");

export type Transport = "stdio" | "http" | "sse";

/** Examines the full server with a fault at one revision, or at several with commas between them. */
export async function examine(
  transport: Transport,
  fault: string,
  revision: string,
  hints = false,
  headers: Readonly<Record<string, string>> = {},
): Promise<Examination> {
  const chosen = revisions.filter(({ id }) => revision.split(", ").includes(id));
  const more = revision === revisions[0]!.id && { region: "eu", zone: 42 };
  const options = {
    revisions: chosen,
    hints,
    timeout: 3_000,
    grace: 500,
    calls: [
      { tool: "echo", arguments: { text: "hello" } },
      { tool: "sum", arguments: { a: 1, b: 2, ...more } },
      { tool: "ask", arguments: {} },
    ],
  };
  if (transport === "stdio") {
    return examineServer({ command: [process.execPath, file, "stdio", fault] }, options);
  }
  const server = spawn(process.execPath, [file, transport, fault], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [url] = (await once(server.stdout, "data")) as [Buffer];
    return await examineServer({ url: new URL(url.toString().trim()), headers }, options);
  } finally {
    server.kill();
  }
}

/** Findings about the full server with a fault, in short: `id pointer`. */
export async function findingsOf(...how: Parameters<typeof examine>): Promise<readonly string[]> {
  const { findings } = await examine(...how);
  return findings.map(({ id, pointer }) => `${id} ${pointer}`.trim());
}
