import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram, startService } from "./core/child.js";
import { freePort } from "./core/free-port.js";
import { inParallel } from "./core/in-parallel.js";
import { Scratch } from "./core/scratch.js";
import { withoutPaths } from "./core/visit.js";
import { withPart } from "./report/page.js";
import { placeOf } from "./sections/servers.js";

const script = (code: string) => ({ file: process.execPath, args: ["-e", code] });

/** Runs code in a scratch folder, and returns its outcome and what it left behind. */
async function isolated(code: string, timeout = 20_000) {
  const scratch = new Scratch();
  const ended = await runProgram(script(code), scratch, timeout);
  return { ...ended, scratch, left: scratch.end() };
}

describe.skipIf(process.platform === "win32")("programs of third parties", () => {
  it("see a home, a working folder and an environment of their own", async () => {
    const { stdout, scratch } = await isolated(
      "console.log(JSON.stringify([process.cwd(), process.env]))",
    );
    const [cwd, env] = JSON.parse(stdout) as [string, Record<string, string>];
    expect(cwd).toBe(scratch.work);
    expect(env["HOME"]).toBe(scratch.home);
    const names = Object.keys(env).filter((name) => !name.startsWith("__"));
    expect(names.toSorted()).toEqual(["HOME", "LANG", "MCP_INTEROP_RUN", "PATH", "TMPDIR"]);
    expect(existsSync(scratch.folder)).toBe(false);
  });

  it("end at their timeout, with what they started", async () => {
    const code =
      'const { spawn } = require("node:child_process");' +
      'const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);' +
      "console.log(child.pid); setInterval(() => {}, 1000)";
    const { stdout, isTimedOut, left } = await isolated(code, 1500);
    expect(isTimedOut).toBe(true);
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(left).toEqual([]);
  });

  it.runIf(process.platform === "linux")("cannot leave a daemon running", async () => {
    const code =
      'const { spawn } = require("node:child_process");' +
      'const options = { detached: true, stdio: "ignore" };' +
      'spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], options).unref()';
    const { left } = await isolated(code);
    expect(left).toHaveLength(1);
  });

  it("are started and awaited until they listen, and fail if they end", async () => {
    const scratch = new Scratch();
    const port = await freePort();
    const listening = script(`require("node:http").createServer().listen(${port})`);
    const service = await startService(listening, scratch, port);
    await service.end();
    const ending = script('console.error("no licence"); process.exit(1)');
    await expect(startService(ending, scratch, port)).rejects.toThrow(/ended: no licence/);
    scratch.end();
  });

  it("are started with the files, arguments and variables of the manifest", async () => {
    const scratch = new Scratch();
    const start = {
      args: ["{work}/config", "{url}"],
      env: { WHERE: "{work}" },
      files: { config: "a", tool: "#!/bin/sh\n" },
    };
    const program = { file: "server", args: ["first"] };
    const { target } = await placeOf(program, "stdio", start, scratch, { url: "http://a" });
    expect(target).toMatchObject({
      command: "server",
      args: ["first", join(scratch.work, "config"), "http://a"],
      env: { WHERE: scratch.work, HOME: scratch.home },
    });
    expect(existsSync(join(scratch.work, "config"))).toBe(true);
    scratch.end();
  });
});

describe("the interop run", () => {
  it("runs a limited number at a time, and keeps the order", async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([30, 10, 20, 0], 2, async (time) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, time));
      running--;
      return time;
    });
    expect(results).toEqual([30, 10, 20, 0]);
    expect(most).toBe(2);
  });

  it("names no folder of this machine in its report", () => {
    expect(withoutPaths("/home/me/.cache/a@1/node_modules/b/bin/b.js failed in /etc/hosts")).toBe(
      "…/b.js failed in /etc/hosts",
    );
  });

  it("replaces one part of the report and keeps the others in their order", () => {
    const names = ["servers", "clients", "gateways"] as const;
    const first = withPart("", "clients", "## B 1", names);
    const second = withPart(first, "servers", "## A", names);
    const third = withPart(second, "clients", "## B 2", names);
    expect(third).not.toContain("B 1");
    expect(third.indexOf("## A")).toBeLessThan(third.indexOf("## B 2"));
    expect(withPart(third, "clients", "## B 2", names)).toBe(third);
  });
});
