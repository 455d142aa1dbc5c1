import { describe, expect, it } from "vitest";
import { useProcesses } from "../engine/support/processes.js";

const processes = useProcesses();

describe("serveStdio", () => {
  it("sends the peer no details of a handler that throws, and writes all to stderr (ERR-11)", async () => {
    const child = await processes.initialized();
    const { error } = await child.call(1, "text/work", { do: "fail with a secret" });
    expect(error).toEqual({ code: -32603, message: "Internal error" });
    await child.until(() => child.stderr.includes("the secret is 42"));
    expect(child.stderr).toContain("tiny-server.js");
  });

  it("waits for a slow reader, and loses no message", async () => {
    const child = await processes.initialized();
    child.process.stdout!.pause();
    child.ask(1, "text/work", { do: "tell a lot" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.process.stdout!.resume();
    for (let index = 0; index < 200; index++) {
      expect((await child.next()).params.headline).toHaveLength(100_000);
    }
    expect(await child.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  it("does not end the process with exit: false", async () => {
    const child = await processes.initialized({ exit: false });
    await child.call(1, "text/work", { do: "keep a timer" });
    child.process.stdin!.end();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(child.process.exitCode).toBeNull();
    child.process.kill("SIGTERM");
    expect((await child.exit).signal).toBe("SIGTERM");
  });
});
