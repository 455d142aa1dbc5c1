import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isAlive } from "../bridge/support/child.js";
import { bin, cli } from "../cli/cli.js";
import { eventually } from "../support/eventually.js";

/** A program that writes its process id to the file named by its argument, and then does nothing. */
const IDLE = `
import { writeFileSync } from "node:fs";
writeFileSync(process.argv[2], String(process.pid));
setInterval(() => {}, 1000);
`;

describe("a command that is stopped", () => {
  it.each([
    [["doctor"], []],
    [["doctor", "--client"], ["{url}"]],
    [["torture"], []],
  ])("ends the program that it examines: %j", async (command, words) => {
    const folder = mkdtempSync(join(tmpdir(), "mcp-ends-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [program, place] = [join(folder, "idle.mjs"), join(folder, "pid")];
    writeFileSync(program, IDLE);
    const args = [bin, ...command, "--", process.execPath, program, place, ...words];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const pid = await eventually(() => {
      const found = Number(readFileSync(place, "utf8"));
      expect(found).toBeGreaterThan(0);
      return found;
    });
    onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });
});

it("the doctor of clients ends if there is no such program", async () => {
  const words = ["doctor", "--client", "--", "no-such-program", "{url}"];
  const { code, stderr } = await cli(words, { cwd: tmpdir(), env: process.env });
  expect([code, stderr]).toEqual([5, expect.stringContaining("there is no program")]);
});
