import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cannotListen } from "../../generator/cli/explain-usage.js";
import { TestFolder } from "../output/folder.js";
import { build, root } from "./build.js";
import { cli, cliJson } from "./cli.js";

beforeAll(build, 120_000);

/** Runs a wrong command line, which must not write anything. */
async function refused(line: string): Promise<string> {
  using folder = new TestFolder();
  const { code, stdout, stderr } = await cli(line.split(" ").filter(Boolean), { cwd: folder.path });
  expect({ line, code, stdout, files: folder.list() }).toEqual({
    line,
    code: 2,
    stdout: "",
    files: [],
  });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

describe("a wrong command line ends with 2 and suggests the right one", () => {
  it.each([
    ["", "Nothing to generate.", "--revision <id>, --all, or --schema <file>"],
    ["", "mcp-codegen new notes --template stdio-server", "mcp-codegen --help"],
    ["lst", 'Unknown command "lst".', 'Did you mean "list"?'],
    [
      "frobnicate",
      'Unknown command "frobnicate".',
      "The commands are: generate, extension, list, inspect, diff",
    ],
    ["gen", 'Unknown command "gen".', 'Did you mean "generate"?'],
    ["--rev 2025-03-26", "Unknown option --rev", 'Did you mean "--revision"?'],
    ["--all --runtime bad%module", '--runtime "bad%module" is not the name of a module.', "@acme/"],
    ["--all --runtime .x", '--runtime ".x" is not the name of a module.', "../runtime.js"],
    ["extension tasks --runtime @x", '--runtime "@x" is not the name of a module.', "@acme/"],
    ["completion csh", '<shell> cannot be "csh".', '"bash", "zsh", "fish"'],
    ["2025-03-26", 'Unknown command "2025-03-26".', 'Did you mean "--revision 2025-03-26"?'],
    ["--revison 2025-03-26", "Unknown option --revison", 'Did you mean "--revision"?'],
    ["--all --chekc", "Unknown option --chekc", 'Did you mean "--check"?'],
    ["--all --no-check", "Unknown option --no-check", 'Did you mean "--check"?'],
    ["list --revision x", 'Unknown option --revision for "list".', 'It is an option of "generate"'],
    ["-x", "Unknown option -x", "mcp-codegen generate --help"],
    ["--revision 2025-03-25", 'no bundled revision "2025-03-25"', 'Did you mean "2025-03-26"'],
    [
      "--revision banana",
      'no bundled revision "banana"',
      "Bundled revisions: 2024-11-05, 2025-03-26",
    ],
    ["--revision", "--revision needs a value.", "mcp-codegen generate --help"],
    ["--out", "--out needs a value.", "--help"],
    ["--all --out a --out b", "--out may be used only once.", "Leave out the others."],
    ["--all --out=", "--out is empty.", "Pass a value"],
    [
      "--all --revision 2025-03-26",
      "--all and --revision cannot be combined.",
      "Leave one of them",
    ],
    ["--all --schema x.ts", "--all and --schema cannot be combined.", "Leave one of them"],
    ["--schema x.ts", "--schema needs exactly one --revision.", "--revision draft"],
    ["--schema x.ts --revision a --revision b", "exactly one --revision", "--revision draft"],
    ["--schema x.ts --revision ../../etc", '"../../etc" cannot be a revision', "draft"],
    ["--schema x.ts --revision .git", '".git" cannot be a revision', "draft"],
    ["--schema x.ts --revision con", '"con" cannot be a revision', "draft"],
    ["--schema x.ts --revision Draft", '"Draft" cannot be a revision', "draft"],
    ["--universal", "Nothing to generate.", "--revision <id>, --all, or --schema <file>"],
    ["--universal --schema x.ts", "--schema needs a --revision.", "--revision draft"],
    [
      "--universal --schema x.ts --revision banana --revision a",
      'no bundled revision "banana"',
      "The last revision names the --schema",
    ],
    ["--universal --schema x.ts --revision universal", '"universal" cannot be a revision', "draft"],
    ["--facts x.json --revision 2025-03-26", "--facts needs --schema.", "have their own facts"],
    ["--all --check --watch", "--check and --watch cannot be combined.", "Use one of them"],
    ["--all --check --dry-run", "--check and --dry-run cannot be combined.", "Use one of them"],
    ["--all extra", 'Unexpected argument "extra".', "mcp-codegen generate --help"],
    ["--all -- extra", 'Unexpected argument "extra".', "mcp-codegen generate --help"],
    ["inspect", "inspect needs <revision> [name].", "For example: mcp-codegen inspect"],
    ["diff 2025-03-26", "diff needs <from> <to>.", "For example: mcp-codegen diff"],
    ["inspect 2025-03-26 a b", 'Unexpected argument "b".', "mcp-codegen inspect --help"],
    ["inspect 2025-03-62", 'no bundled revision "2025-03-62"', 'Did you mean "2025-03-26"?'],
    ["inspect 2025-03-26 tols/call", 'no type or method "tols/call"', 'Did you mean "tools/call"?'],
    ["inspect 2025-03-26 CallTolResult", 'no type or method "CallTolResult"', '"CallToolResult"'],
    ["inspect 2025-03-26 __proto__", 'no type or method "__proto__"', "lists the methods"],
    ["fingerprint 2025-03-27", 'no bundled revision "2025-03-27"', 'Did you mean "2025-03-26"'],
    ["fingerprint 2025-03-26 --revision x", 'no bundled revision "x"', "Bundled revisions:"],
    [
      "diff 2025-03-26 2025-06-81",
      'no bundled revision "2025-06-81"',
      'Did you mean "2025-06-18"?',
    ],
    [
      "pull 2025-03-25",
      'No digest of revision "2025-03-25" is recorded',
      'Did you mean "2025-03-26"',
    ],
    ["pull next", 'No digest of revision "next" is recorded', "--accept-new"],
    ["pull ../x --accept-new", '"../x" cannot be a revision', ""],
    ["pull 2025-03-26 --timeout soon", "--timeout needs a number", "For example: --timeout 30"],
    ["pull 2025-03-26 --timeout -1", "--timeout must be more than 0 and at most 3600 seconds", ""],
    ["tools http://a.test --timeout 0", "--timeout must be more than 0", ""],
    ["record -- node x", "--out is missing.", "For example: mcp-codegen record --out a.tape.jsonl"],
    ["record --out a --http abc https://a.test", "--http needs a number.", "--http 3000"],
    ["record --out a", "There is no server.", "a command after --"],
    ["doctor talk", '"talk" is not a URL, and there is no .mcp.json', "a command after --"],
    ["bridge talk", '"talk" is not a URL, and there is no .mcp.json', "a command after --"],
    ["bridge --config .mcp.json", "No servers found in .mcp.json: it does not exist.", "Create it"],
    [
      "bridge --http 3000 node dist/index.js",
      'Unexpected argument "dist/index.js".',
      "Put -- before a command, as in: mcp-codegen bridge --http 3000 -- npx",
    ],
    ["--all --config nowhere.json", "There is no such configuration file.", "--config"],
  ])("%s", async (line, message, hint) => {
    const stderr = await refused(line);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr.length).toBeLessThan(400);
  });

  it.each([
    [{ code: "EADDRINUSE", port: 3000 }, "Port 3000 is in use."],
    [{ code: "EACCES", port: 80 }, "Port 80 needs other rights."],
    [{ code: "EADDRNOTAVAIL", address: "10.0.0.1" }, "This machine has no address 10.0.0.1."],
    [{ message: "no sockets" }, "Cannot listen: no sockets."],
  ])("says why a port cannot be used: %j", (error, message) => {
    expect(cannotListen(error)).toMatchObject({ message, hint: expect.any(String) });
  });

  it("prints one document with diagnostics with --json", async () => {
    using folder = new TestFolder();
    const { code, json } = await cliJson(["--revision", "2025-03-25"], { cwd: folder.path });
    expect(code).toBe(2);
    expect(json).toEqual({
      command: "generate",
      exitCode: 2,
      diagnostics: [
        {
          code: "MCG0002",
          severity: "error",
          message: 'There is no bundled revision "2025-03-25".',
          hint: 'Did you mean "2025-03-26" or "2025-11-25"?',
        },
      ],
    });
  });

  it("escapes control characters of an argument", async () => {
    using folder = new TestFolder();
    const { code, stderr } = await cli(["--revision", "\u001b[2J\u202e"], { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain("\\u{1b}[2J\\u{202e}");
    expect(stderr).not.toContain("\u001b");
  });
});

describe("help and version", () => {
  it.each([["--help"], ["-h"], ["help"], ["--help --revison x"]])(
    "prints the overview for %s",
    async (line) => {
      using folder = new TestFolder();
      const { code, stdout, stderr } = await cli(line.split(" "), { cwd: folder.path });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      for (const name of ["list", "inspect", "diff", "fingerprint", "pull", "new"]) {
        expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
      }
      for (const option of [
        "revision",
        "all",
        "universal",
        "schema",
        "facts",
        "config",
        "out",
        "runtime",
      ]) {
        expect(stdout).toMatch(new RegExp(`^  --${option}\\b`, "m"));
      }
      for (const option of ["check", "dry-run", "watch", "json"]) {
        expect(stdout).toMatch(new RegExp(`^  --${option}\\b`, "m"));
      }
      for (const exit of [0, 1, 2, 3, 4, 70])
        expect(stdout).toMatch(new RegExp(`^  ${exit} +\\S`, "m"));
      expect(stdout).toContain("NO_COLOR");
      expect(stdout).toMatch(/Documentation:\n {2}\S+README\.md/);
      expect(stdout.split("\n").every((text) => text.length <= 100)).toBe(true);
    },
  );

  it.each(["list", "inspect", "diff", "fingerprint", "pull", "new"])(
    "has a page for %s",
    async (name) => {
      using folder = new TestFolder();
      const { code, stdout } = await cli([name, "--help"], { cwd: folder.path });
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage:\n  mcp-codegen ${name}`);
      expect(stdout).toContain("Exit codes:");
      expect(stdout).not.toContain("--watch");
      for (const words of [
        ["help", name],
        ["--help", name],
        ["-h", name],
      ])
        expect((await cli(words, { cwd: folder.path })).stdout).toBe(stdout);
    },
  );

  it.each([
    ["diff", "Lowest class of change", "breaking, dangerous, prose, any"],
    ["diff", "Only changes by class", "client, server"],
    ["check-tape", "The least severity", "error, warning; default: error"],
    ["tools", "Usage:", "mcp-codegen tools <target> [-- <command…>]"],
    ["call", "Usage:", "mcp-codegen call <target> <tool> [name=value…] [-- <command…>]"],
  ])("lists in the page of %s, after %j: %s", async (name, before, values) => {
    using folder = new TestFolder();
    const { stdout } = await cli([name, "--help"], { cwd: folder.path });
    const text = stdout.replaceAll(/\s+/g, " ");
    expect(text.slice(text.indexOf(before), text.indexOf(before) + 140)).toContain(values);
  });

  it.each([["contract --help"], ["--help contract"], ["help contract"], ["contract -h"]])(
    "lists the commands of a group for %s",
    async (line) => {
      using folder = new TestFolder();
      const { code, stdout } = await cli(line.split(" "), { cwd: folder.path });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Compare contracts .*\n\nUsage:\n {2}mcp-codegen contract <command>/);
      for (const name of ["diff", "client", "mock"]) expect(stdout).toContain(`contract ${name} `);
      expect(stdout).not.toContain("--revision");
    },
  );

  it.each([
    ["generate", ["--revision", "2024-11-05", "--dry-run"]],
    ["list", ["list"]],
    ["inspect", ["inspect", "2024-11-05"]],
    ["inspect", ["inspect", "2024-11-05", "tools/call"]],
    ["inspect", ["inspect", "2024-11-05", "Tool"]],
    ["inspect", ["inspect", "2024-11-05", "CallToolRequestParams"]],
    ["diff", ["diff", "2024-11-05", "2025-03-26"]],
    ["fingerprint", ["fingerprint", "2024-11-05"]],
  ])("%s documents the members that %j prints", async (name, args) => {
    using folder = new TestFolder();
    const { stdout } = await cli([name, "--help"], { cwd: folder.path });
    const documented = stdout.slice(stdout.indexOf("With --json:"), stdout.indexOf("Exit codes:"));
    const { json } = await cliJson(args, { cwd: folder.path });
    expect(Object.keys(json).length).toBeGreaterThan(3);
    for (const member of Object.keys(json))
      expect(documented).toMatch(new RegExp(`\\b${member}\\b`));
  });

  it("prints the version of the package with --version", async () => {
    using folder = new TestFolder();
    const { stdout } = await cli(["--version"], { cwd: folder.path });
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect(stdout).toBe(`${version}\n`);
  });

  it("uses colours only if an option says so, or on a terminal", async () => {
    using folder = new TestFolder();
    const line = ["--revison"];
    const plain = await cli(line, { cwd: folder.path });
    const forced = await cli(line, { cwd: folder.path, env: { FORCE_COLOR: "1" } });
    const refusedColor = await cli(line, {
      cwd: folder.path,
      env: { FORCE_COLOR: "1", NO_COLOR: "1" },
    });
    expect(plain.stderr).not.toContain("\u001b");
    expect(forced.stderr).toContain("\u001b[31merror\u001b[39m");
    expect(refusedColor.stderr).toBe(plain.stderr);
  });
});
