import { execFileSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { start } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

/** Every way in which a command line reads a given file. INPUT stands for that file. */
const COMMANDS: readonly (readonly string[])[] = [
  ["--schema", "INPUT", "--revision", "draft"],
  ["--schema", "s.ts", "--revision", "draft", "--facts", "INPUT"],
  ["--config", "INPUT"],
  ["extension", "INPUT", "--id", "com.example/x"],
  ["extension", "s.ts", "--id", "com.example/x", "--facts", "INPUT"],
  ["extension", "s.ts", "--id", "com.example/x", "--revision", "INPUT"],
  ["inspect", "INPUT"],
  ["diff", "INPUT", "2025-11-25"],
  ["fingerprint", "INPUT"],
];

/** Pipes, a device, a huge file and a folder, used in place of INPUT. */
const INPUTS = ["pipe.json", "pipe.mjs", "/dev/zero", "huge.json", "folder.json"] as const;

/** Each command with a pipe and one other input. All commands use the same reader (test/output/disk). */
const CASES = COMMANDS.flatMap((words, index) =>
  [INPUTS[0], INPUTS[1 + (index % (INPUTS.length - 1))]!].map((input) => ({
    input,
    command: words.join(" "),
    words,
  })),
);

describe.skipIf(process.platform === "win32")("a command line", () => {
  it.each(CASES)(
    "ends at once for $input: $command",
    async ({ words, input }) => {
      using folder = new TestFolder().put({
        "s.ts": SMALL_SCHEMA,
        "huge.json": "",
        "folder.json/x": "",
      });
      execFileSync("mkfifo", ["pipe.json", "pipe.mjs"], { cwd: folder.path });
      truncateSync(join(folder.path, "huge.json"), 2 ** 40);
      const args = words.map((word) => word.replace("INPUT", input));
      const running = start(args, {
        cwd: folder.path,
        env: { NODE_OPTIONS: "--max-old-space-size=128" },
      });
      const timer = setTimeout(() => running.signal("SIGKILL"), 15_000);
      const { code, stderr } = await running.finished;
      clearTimeout(timer);
      expect([2, 3], stderr).toContain(code);
      expect(stderr).toMatch(/MCG\d{4}/);
      expect(stderr).not.toContain("MCG0000");
    },
    20_000,
  );
});
