import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";

const skills = pathToFileURL(join(root, "runtime/dist/skills/index.js")).href;

/** Texts that are refused once for their length and once for their content. */
const HOSTILE: Readonly<Record<string, string>> = {
  colons: "a: ",
  "colons without spaces": "a:",
  brackets: "[",
  braces: "{a: ",
  both: "[{",
  dashes: "- ",
  "question marks": "? ",
  quotes: '"',
  "empty lines and one bracket": "\n[",
  anchors: "&a ",
  tags: "! ",
  "equal keys": "k: 1\n",
  "lists in mappings": "- a:\n",
  indentation: Array.from({ length: 400 }, (_, level) => `${" ".repeat(level)}a:\n`).join(""),
};

/** Reads the frontmatter in a separate process, which is killed if that takes too long. */
const PROGRAM = `
  const { parseFrontmatter } = await import(process.argv[1]);
  const part = process.argv[2];
  for (const size of [100_000, 16_000]) {
    const text = part.repeat(Math.ceil(size / part.length)).slice(0, size);
    const start = performance.now();
    try {
      parseFrontmatter("---\\nname: a\\ndescription: b\\n" + text + "\\n---\\n");
      console.log("read", performance.now() - start);
    } catch (error) {
      console.log(error.name);
      console.error(error.message, performance.now() - start);
    }
  }`;

describe("hostile frontmatter", () => {
  it.each(Object.entries(HOSTILE))(
    "of %s is rejected without a crash, over the limit and just below it",
    async (_, part) => {
      const args = ["--input-type=module", "-e", PROGRAM, skills, part];
      const { code, stdout, stderr } = await run(process.execPath, args, { timeout: 20_000 });
      expect(code, stderr).toBe(0);
      expect(stdout).toBe("SyntaxError\nSyntaxError\n");
    },
    30_000,
  );
});
