import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server over HTTP on a free port with its script `start`, and waits until it prints its address. */
export async function serve(
  project: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<Serving> {
  const env = { ...process.env, PORT: "0", ...variables };
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const server = spawn(process.execPath, args, { cwd: project, env, stdio: [...stdio] });
  const ended = once(server, "exit");
  const close = async (): Promise<void> => {
    server.kill();
    await ended;
  };
  for await (const line of createInterface({ input: server.stdout! })) {
    const url = /^Serving MCP at (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { url, close };
  }
  throw new Error(`${project} ended before it listened`);
}
