import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { revisions } from "@mcp-codegen/universal/revisions";
import { type Examination, examineServer } from "@mcp-codegen/testing/doctor";
import { describe, expect, it } from "vitest";

const file = join(import.meta.dirname, "servers/broken.mjs");

function examine(how: string): Promise<Examination> {
  const command = [process.execPath, file, how];
  return examineServer(
    { command },
    { timeout: 500, grace: 300, revisions: revisions.slice(0, 2).toReversed() },
  );
}

function idsOf({ findings }: Examination): readonly string[] {
  return findings.map(({ id }) => id);
}

/** Number of processes of a behaviour that are still there. */
function running(how: string): number {
  const list = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
  return list.split("\n").filter((line) => line.includes(`${file} ${how}`)).length;
}

describe("doctor of servers that do not behave at all", () => {
  it("reports a server that answers nothing", async () => {
    expect(idsOf(await examine("silent"))).toEqual(["opening-answered"]);
    expect(running("silent")).toBe(0);
  });

  it("reports a server that answers nothing after the opening", async () => {
    const examination = await examine("hanging");
    expect(idsOf(examination)).toContain("request-silent");
    expect(examination.isSilent).toBe(true);
    expect(running("hanging")).toBe(0);
  });

  it("names the revisions that it had no time for", async () => {
    const command = [process.execPath, file, "silent"];
    const { unexamined } = await examineServer({ command }, { revisions, total: 0, grace: 300 });
    expect(unexamined).toEqual(revisions);
    expect(running("silent")).toBe(0);
  });

  it.each(["chattering", "endless"])("reports a server that is %s", async (how) => {
    const command = [process.execPath, file, how];
    const found = await examineServer({ command }, { revisions: revisions.slice(1, 2) });
    expect(idsOf(found)).toContain("server-flood");
    expect(running(how)).toBe(0);
  });

  it("reports a server that exits at once, with what it wrote", async () => {
    const { findings } = await examine("dead");
    expect(findings).toMatchObject([
      {
        id: "opening-answered",
        received: "it exited with code 1; it wrote: Error: API_KEY is missing",
      },
    ]);
  });

  it("reports a server that exits during the conversation", async () => {
    expect(idsOf(await examine("dying"))).toContain("server-ended");
  });

  it.skipIf(process.platform === "win32")(
    "reports a server that does not exit, and ends it with its children",
    async () => {
      expect(idsOf(await examine("stubborn"))).toEqual(
        expect.arrayContaining(["exit-on-end", "exit-on-signal"]),
      );
      expect(running("stubborn")).toBe(0);
    },
  );

  it("says that there is no such program", async () => {
    const { unreachable } = await examineServer({ command: ["no-such-program-anywhere"] });
    expect(unreachable).toBe("there is no program no-such-program-anywhere");
  });
});
