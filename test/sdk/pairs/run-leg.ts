import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/free-port.js";
import { fastNpx } from "./combinations.js";
import type { Leg } from "./stories.js";

/**
 * Runs a leg and returns its result. The text is empty if it passed, and otherwise has the reason and the output of
 * both programs.
 */
export async function runLeg(
  folder: string,
  leg: Leg,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const story = join(folder, leg.story);
  const port = await freePort();
  const http = `http://127.0.0.1:${port}${leg.path}`;
  const server =
    leg.transport === "http"
      ? start(join(story, "server.js"), ["--http", "--port", String(port)], folder, {
          ...leg.env,
          PORT: String(port),
        })
      : undefined;
  try {
    if (server && !(await isListening(port, 15_000)))
      return { ok: false, text: `the server does not listen\n${server.output()}` };
    const to = server ? ["--http", http] : [];
    const era = leg.era === "legacy" ? ["--legacy"] : [];
    const client = start(join(story, "client.js"), [...to, ...era], folder, {});
    const code = await Promise.race([client.ended, sleep(leg.timeout, "late" as const)]);
    if (code === "late") client.kill();
    const ok = code === 0 && client.output().includes(leg.expected);
    const why = code === "late" ? "no end within its time" : `exit ${code}`;
    return { ok, text: ok ? "" : `${why}\n${client.output()}\n${server?.output() ?? ""}` };
  } finally {
    server?.kill();
  }
}

function start(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child: ChildProcess = spawn(process.execPath, [file, ...args], {
    cwd,
    env: { ...process.env, ...env, PATH: `${fastNpx()}:${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const add = (chunk: Buffer) => void (text += chunk.toString());
  child.stdout!.on("data", add);
  child.stderr!.on("data", add);
  return {
    ended: once(child, "exit").then(([code]) => code as number | null),
    output: () => text,
    kill: () => void child.kill("SIGKILL"),
  };
}

async function isListening(port: number, within: number): Promise<boolean> {
  for (const end = Date.now() + within; Date.now() < end; await sleep(50)) {
    const socket = connect({ port, host: "127.0.0.1" });
    const connected = await new Promise<boolean>((resolve) => {
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    });
    socket.destroy();
    if (connected) return true;
  }
  return false;
}
