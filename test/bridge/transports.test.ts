import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "@mcp-codegen/universal";
import { clientTasks } from "@mcp-codegen/universal/tasks";
import { bin } from "../cli/cli.js";
import { CASES, exists } from "../interop/middles/cases.js";
import { eventually } from "../support/eventually.js";
import { only } from "./support/stage.js";

const program = join(import.meta.dirname, "../interop/programs/middle-upstream.mjs");

/** The transports, each with a revision that uses it. */
const TRANSPORTS = {
  stdio: "2025-06-18",
  "HTTP in a session": "2025-11-25",
  "stateless HTTP": "2026-07-28",
  "HTTP+SSE": "2024-11-05",
} as const;
type Transport = keyof typeof TRANSPORTS;
const names = Object.keys(TRANSPORTS) as Transport[];

/** Starts a program and waits until an address appears in its output. */
async function listening(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const started = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  onTestFinished(() => void started.kill());
  let text = "";
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding("utf8").on("data", (more: string) => (text += more));
  const address = /http:\/\/[^\s;]+(?=[;\n])/;
  await eventually(() => expect(text).toMatch(address));
  return address.exec(text)![0];
}

/** Returns the command-line words for a server behind the bridge. */
async function upstream(over: Transport, effects: string): Promise<readonly string[]> {
  const words = [program, TRANSPORTS[over], effects];
  return over === "stdio"
    ? ["--", process.execPath, ...words, "stdio"]
    : [await listening([...words, "http", "0"])];
}

/** Connects to a bridge that is in front of a server. */
async function through(down: Transport, up: Transport, effects: string) {
  const id = TRANSPORTS[down];
  const words = await upstream(up, effects);
  const door = down === "HTTP+SSE" ? "--sse=0" : "--http=0";
  const target =
    down === "stdio"
      ? { command: process.execPath, args: [bin, "bridge", ...words] }
      : await listening([bin, "bridge", door, "--token-env", "TOKEN", ...words], { TOKEN: "me" });
  const tasks = clientTasks();
  const client = await connect(target, {
    revisions: only(id),
    eras: false,
    cache: false,
    onerror: () => {},
    ...(down !== "stdio" && { headers: { authorization: "Bearer me" } }),
    extensions: [tasks],
    sampling: { tools: true },
    onElicit: () => ({ action: "accept", content: { code: "42" } }) as never,
    onSample: () => ({
      role: "assistant",
      content: { type: "text", text: "Paris" },
      model: "a model",
    }),
    roots: [{ uri: "file:///work" }],
  });
  onTestFinished(() => client.close());
  return { client, tasks };
}

describe.each(names)("a client over %s", (down) => {
  it.each(names)("sends and receives each kind of message before a server over %s", async (up) => {
    const folder = mkdtempSync(join(tmpdir(), "mcp-bridge-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "effects");
    const effects = () =>
      existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    const peer = { ...(await through(down, up, file)), effects };
    const [from, to] = [TRANSPORTS[down], TRANSPORTS[up]];
    const cases = CASES.filter((one) => exists(one, from, to));
    const seen: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const { name, tool, questions = 0, run } of cases) {
      const runs = () => effects().filter((line) => line === tool).length;
      const before = runs();
      const failure = await run(peer).catch((error: Error) => error.message);
      seen[name] = failure ?? runs() - before;
      const rounds = to === "2026-07-28" ? 1 + questions : 1;
      expected[name] = tool === undefined ? 0 : rounds;
    }
    expect(seen).toEqual(expected);
  });
});
