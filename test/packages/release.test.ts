import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloneRepository } from "../support/clone.js";
import { packageFolders } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

let parent: string;
let clone: string;

beforeAll(async () => {
  ({ folder: parent, clone } = await cloneRepository());
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const release = (...args: string[]) =>
  run(process.execPath, [join(clone, ".github/release.mjs"), ...args], { cwd: clone });
const git = (...args: string[]) => runOrThrow("git", args, { cwd: clone });
const versionOf = (folder: string): unknown =>
  (JSON.parse(readFileSync(join(clone, folder, "package.json"), "utf8")) as { version?: unknown })
    .version;

describe("a release", () => {
  it("builds, packs and checks every package, and leaves no trace as a dry run", async () => {
    const before = versionOf(".");
    const { code, stdout, stderr } = await release("987.6.5");
    expect(code, stderr).toBe(0);
    const names = packageFolders().map((folder) => folder.replace(/^(?:generated|runtime)\//, ""));
    for (const name of names) {
      const full = name === "." ? "mcp-codegen" : `@mcp-codegen/${name}`;
      expect(stdout).toContain(`${full}@987.6.5: `);
    }
    expect(await git("status", "--porcelain")).toBe("");
    expect(versionOf(".")).toBe(before);
  }, 600_000);

  it.each([
    ["no version", [], "npm run release -- <version>"],
    ["an invalid version", ["v1"], "Not a version: v1"],
    [
      "two contradicting options",
      ["9.0.0", "--commit", "--publish"],
      "npm run release -- <version>",
    ],
    ["to publish a commit of another version", ["9.0.0", "--publish"], "release -- 9.0.0 --commit"],
  ])("rejects %s", async (_, args, reason) => {
    const { code, stderr } = await release(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  it("rejects a working tree with changes", async () => {
    writeFileSync(join(clone, "stray.txt"), "");
    const { code, stderr } = await release("987.6.5");
    rmSync(join(clone, "stray.txt"));
    expect(code).toBe(1);
    expect(stderr).toContain("?? stray.txt");
  });

  it("rejects a version that the changelog or a tag has", async () => {
    await git("tag", "v987.6.5");
    expect((await release("987.6.5")).stderr).toContain("Tag v987.6.5 exists");
    appendFileSync(join(clone, "CHANGELOG.md"), "\n## 987.6.4 (2030-01-01)\n");
    await git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qam", "x");
    expect((await release("987.6.4")).stderr).toContain("CHANGELOG.md has 987.6.4 already");
  });
});
