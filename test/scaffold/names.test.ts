import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { detectPackageManager } from "../../generator/scaffold/package-manager.js";
import { projectName } from "../../generator/scaffold/project-name.js";
import { refuseTarget } from "../../generator/scaffold/target-folder.js";

/** Well-formed names that npm or a file system refuses. */
const UNUSABLE = [
  "node_modules",
  "favicon.ico",
  "con",
  "nul",
  "nul.x",
  "com1",
  "lpt9.tar",
  "aux.d",
  "prn",
  "@me/con",
  "@me/node_modules",
  "@me/nul.x",
  "sub/con",
  "x.",
  "@me/x.",
];

describe("projectName", () => {
  it.each([
    ["notes", "/w/notes", "notes"],
    ["./a/notes", "/w/a/notes", "notes"],
    ["/tmp/notes/", "/tmp/notes", "notes"],
    ["@me/notes", "/w/notes", "@me/notes"],
    [".", "/w", "w"],
  ])("%s", (given, folder, packageName) => {
    expect(projectName(given, "/w")).toEqual({ folder, packageName });
  });

  it.each([
    "Notes",
    "my server",
    "_x",
    ".x",
    "a".repeat(215),
    "",
    "/",
    "@me/no tes",
    "x\n",
    ...UNUSABLE,
  ])("rejects %j", (given) => {
    expect(projectName(given, "/")).toHaveProperty("problem");
  });
});

describe("refuseTarget", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "mcp-codegen-target-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("accepts a missing folder, an empty one and a fresh repository", () => {
    expect(refuseTarget(join(folder, "new"), false)).toBeUndefined();
    expect(refuseTarget(folder, false)).toBeUndefined();
    mkdirSync(join(folder, ".git"));
    expect(refuseTarget(folder, false)).toBeUndefined();
  });

  it("rejects a folder with files, unless forced", () => {
    writeFileSync(join(folder, "mine.txt"), "");
    expect(refuseTarget(folder, false)).toContain("is not empty");
    expect(refuseTarget(folder, true)).toBeUndefined();
  });

  it("rejects a file and a link, forced or not", () => {
    writeFileSync(join(folder, "file"), "");
    symlinkSync(tmpdir(), join(folder, "link"));
    expect(refuseTarget(join(folder, "file"), true)).toContain("is a file");
    expect(refuseTarget(join(folder, "file/below/it"), true)).toContain("is a file");
    expect(refuseTarget(join(folder, "link"), true)).toContain("symbolic link");
  });
});

it.each([
  ["pnpm/9.1.0 npm/? node/v20", "pnpm"],
  ["yarn/4.1.0 npm/? node/v20", "yarn"],
  ["bun/1.1.0", "bun"],
  ["npm/11.0.0 node/v20", "npm"],
  ["cnpm/1", "npm"],
  [undefined, "npm"],
])("detectPackageManager recognises %s", (agent, manager) => {
  expect(detectPackageManager(agent)).toBe(manager);
});
