import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { cli } from "../cli/cli.js";

const node = process.execPath;
const full = [node, join(import.meta.dirname, "doctor/servers/full.mjs"), "stdio"];

const doctor = (...words: string[]) =>
  cli(["doctor", "--revisions", "2025-11-25", "--timeout", "2", ...words], { cwd: tmpdir() });

describe("the doctor's exit code", () => {
  it("is 5 if the server ends at its start, or answers with a page", async () => {
    const page = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
    });
    onTestFinished(() => void page.close());
    await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
    const { port } = page.address() as AddressInfo;
    const urls = [[`http://127.0.0.1:${port}/mcp`], ["--", node, "nothere.js"]];
    for (const words of urls) {
      const { code, stdout } = await doctor(...words);
      expect([code, stdout], stdout).toEqual([5, expect.stringMatching(/^error /m)]);
      expect(stdout).toContain("No conversation could be opened");
    }
  });

  it("is 2 if a call cannot be made, as there is no such tool or argument", async () => {
    const calls = ["--call", "nope={}", "--call", "echo", "--call", "sum"];
    const { code, stdout, stderr } = await doctor(...calls, "--", ...full);
    expect(code, stdout).toBe(2);
    expect(stderr).toContain("--call nope cannot be made: the server lists echo, sum, ask.");
    expect(stderr).toContain("--call echo cannot be made: its arguments lack text.");
    expect(stderr).not.toContain("--call sum");
  });

  it("is 0 if all calls can be made", async () => {
    const { code, stdout, stderr } = await doctor("--call", "sum", "--", ...full);
    expect(code, stdout + stderr).toBe(0);
  });
});

async function run(...words: string[]) {
  const { code, stdout, stderr } = await cli(words, { cwd: tmpdir() });
  return [code, stdout + stderr] as const;
}

describe("a command that examines a program", () => {
  it("names the error that ended a client, and says that it did not connect", async () => {
    const cause = "{ cause: 1, errno: 2, address: '127.0.0.1', port: 3, syscall: 'connect' }";
    const program = `throw Object.assign(new Error("refused"), ${cause})`;
    const [code, text] = await run("doctor", "--client", "--", node, "-e", program, "{url}");
    expect(code, text).toBe(1);
    expect(text).toMatch(/it wrote: Error: refused/);
    expect(text).toMatch(/^The client did not connect: nothing else was examined\.$/m);
    expect(text).not.toContain("no revision");
  });

  it("asks for a client, and not for a server", async () => {
    const [code, text] = await run("doctor", "--client");
    expect([code, text]).toEqual([2, expect.stringMatching(/There is no client\.[^]*\{url\}/)]);
  });

  it("names no other command if a variable is not set", async () => {
    const [code, text] = await run("doctor", "--env", "NO_SUCH_NAME", "--", node);
    expect([code, text]).toEqual([2, expect.stringContaining("NAME=… before mcp-codegen")]);
  });

  it.each([
    ["setInterval(() => {}, 1000)", "no response within 0.3 s"],
    [
      "console.error('Error: no key'); process.exit(1)",
      "exited with code 1; it wrote: Error: no key",
    ],
  ])("says why a server cannot be tortured: %s", async (program, reason) => {
    const [code, text] = await run("torture", "--timeout", "0.3", "--", node, "-e", program);
    expect([code, text]).toEqual([5, expect.stringContaining(reason)]);
  });
});
