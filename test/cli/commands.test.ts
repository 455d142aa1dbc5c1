import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build, root } from "./build.js";
import { cli, cliJson } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

interface Official {
  readonly revision: string;
  readonly official: { readonly url: string; readonly api: string; readonly wire: string };
}

const factsOf = (revision: string) =>
  JSON.parse(readFileSync(join(root, "schema", revision, "facts.json"), "utf8")) as Official;

describe("list", () => {
  it("shows the bundled revisions, oldest first", async () => {
    using folder = new TestFolder();
    const { code, stdout } = await cli(["list"], { cwd: folder.path });
    expect(code).toBe(0);
    const ids = stdout.split("\n").flatMap((line) => /^\d{4}-\d\d-\d\d/.exec(line)?.[0] ?? []);
    const folders = readdirSync(join(root, "schema"), { withFileTypes: true })
      .filter((one) => one.isDirectory() && one.name !== "extensions")
      .map(({ name }) => name);
    expect(ids).toEqual(folders);
    const { json } = await cliJson(["list"], { cwd: folder.path });
    const revisions = json["revisions"] as { revision: string; official: object }[];
    expect(revisions.map(({ revision }) => revision)).toEqual(ids);
    expect(revisions.map(({ official }) => official)).toEqual(
      ids.map((id) => factsOf(id).official),
    );
  });

  it("shows the bundled extensions", async () => {
    using folder = new TestFolder();
    const { stdout } = await cli(["list"], { cwd: folder.path });
    const names = readdirSync(join(root, "schema/extensions"));
    expect(
      stdout
        .split("Extension ")[1]!
        .split("\n")
        .slice(1, -1)
        .map((line) => line.split(" ")[0]),
    ).toEqual(names);
    const { json } = await cliJson(["list"], { cwd: folder.path });
    expect(json["extensions"]).toMatchObject(
      names.map((name) => ({ name, id: factsOf(`extensions/${name}`).revision })),
    );
  });
});

describe("fingerprint", () => {
  it("compares extensions with their published files", async () => {
    const text = readFileSync(join(root, "schema/extensions/tasks/schema.ts"), "utf8");
    using folder = new TestFolder().put({
      "copy.ts": text,
      "other.ts": text.replace("taskIds?: string[]", "taskIds?: string"),
    });
    const cwd = folder.path;
    const { official, revision } = factsOf("extensions/tasks");
    const bundled = await cliJson(["fingerprint", "tasks"], { cwd });
    expect(bundled.json).toMatchObject({ revision, official, equal: { api: true, wire: true } });
    const as = ["--revision", "tasks"];
    expect((await cli(["fingerprint", "copy.ts", ...as], { cwd })).code).toBe(0);
    expect((await cli(["fingerprint", "other.ts", ...as], { cwd })).code).toBe(1);
    const diff = await cli(["diff", "tasks", "other.ts"], { cwd });
    expect(diff.stdout).toContain("taskIds");
    const inspected = await cli(["inspect", revision, "tasks/get"], { cwd });
    expect(inspected.stdout).toContain("GetTaskResult");
  });

  it("equals the recorded fingerprint for a bundled revision", async () => {
    using folder = new TestFolder();
    const { official } = factsOf("2025-03-26");
    const { code, json } = await cliJson(["fingerprint", "2025-03-26"], { cwd: folder.path });
    expect(code).toBe(0);
    expect(json).toMatchObject({
      api: official.api,
      wire: official.wire,
      revision: "2025-03-26",
      official,
      equal: { api: true, wire: true },
    });
    const { stdout } = await cli(["fingerprint", "2025-03-26"], { cwd: folder.path });
    expect(stdout).toMatch(new RegExp(`^api {5}${official.api} {2}equal$`, "m"));
    expect(stdout).toMatch(new RegExp(`^wire {4}${official.wire} {2}equal$`, "m"));
    expect(stdout).toMatch(/^sha256 {2}[0-9a-f]{64} {2}different, as expected: /m);
  });

  it("compares a file with the revision of its name, an option or its digest", async () => {
    const text = readFileSync(join(root, "schema/2025-03-26/schema.ts"), "utf8");
    using folder = new TestFolder().put({
      "copy.ts": text,
      "2025-03-26/schema.ts": text.replace("TextContent {", "TextContent {\n  extra?: string;"),
    });
    const cwd = folder.path;
    const copy = await cliJson(["fingerprint", "copy.ts"], { cwd });
    expect(copy.json).toMatchObject({ revision: "2025-03-26", equal: { api: true, wire: true } });
    const changed = await cliJson(["fingerprint", "2025-03-26/schema.ts"], { cwd });
    expect(changed.json).toMatchObject({
      revision: "2025-03-26",
      equal: { api: false, wire: false },
    });
    const other = await cliJson(["fingerprint", "copy.ts", "--revision", "2024-11-05"], { cwd });
    expect(other.json).toMatchObject({
      revision: "2024-11-05",
      equal: { api: false, wire: false },
    });
  });

  it("compares nothing if no fingerprint is recorded", async () => {
    using folder = new TestFolder().put({ "s.ts": SMALL_SCHEMA });
    const { code, stdout, stderr } = await cli(["fingerprint", "s.ts"], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^api {5}[0-9a-f]{64}\nwire {4}[0-9a-f]{64}\nsha256 {2}[0-9a-f]{64}\n$/);
    expect(stderr).toBe("No official file is recorded to compare it with.\n");
  });

  it("ends with 3 for a missing file", async () => {
    using folder = new TestFolder();
    const { code, stderr } = await cli(["fingerprint", "./no.ts"], { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^\.\/no\.ts - error MCG1001: There is no such file\./);
  });
});

describe("inspect", () => {
  it("shows all methods by kind and sender", async () => {
    using folder = new TestFolder();
    const { code, stdout } = await cli(["inspect", "2025-11-25"], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toContain("20 requests, 11 notifications");
    expect(stdout).toMatch(
      /^tools\/call +CallToolRequestParams +CallToolResult \| CreateTaskResult +server\.tools$/m,
    );
    expect(stdout.indexOf("Requests from the client")).toBeLessThan(stdout.indexOf("tools/call"));
    expect(stdout.indexOf("tools/call")).toBeLessThan(stdout.indexOf("Requests from the server"));
    const { json } = await cliJson(["inspect", "2025-11-25"], { cwd: folder.path });
    expect(json).toMatchObject({
      revision: "2025-11-25",
      counts: { requests: 20, notifications: 11 },
    });
    expect((json["methods"] as object[]).length).toBe(31);
  });

  it("shows a method with its conditions", async () => {
    using folder = new TestFolder();
    const args = ["inspect", "2025-11-25", "tools/call"];
    const { stdout } = await cli(args, { cwd: folder.path });
    expect(stdout).toContain("Sent by     the client");
    expect(stdout).toContain("server.tasks.requests.tools.call, when task is present");
    const { json } = await cliJson(args, { cwd: folder.path });
    expect(json).toMatchObject({
      method: { kind: "request", method: "tools/call", from: "client" },
    });
  });

  it("shows a type with inherited members and its users", async () => {
    using folder = new TestFolder();
    const args = ["inspect", "2025-06-18", "CallToolResult"];
    const { stdout } = await cli(args, { cwd: folder.path });
    expect(stdout).toMatch(/^interface CallToolResult extends Result$/m);
    expect(stdout).toMatch(/^ {2}_meta\? +from Result +\{/m);
    expect(stdout).toMatch(/^ {2}content +ContentBlock\[\]$/m);
    expect(stdout).toContain("Methods\n  tools/call\n");
    expect(stdout).toContain("Used by\n  ServerResult\n");
    const { json } = await cliJson(args, { cwd: folder.path });
    expect(json).toMatchObject({
      type: {
        kind: "interface",
        extends: ["Result"],
        usedBy: { methods: ["tools/call"], types: ["ServerResult"] },
      },
    });
  });

  it.each([
    ["Role", 'type Role = "user" | "assistant"'],
    ["PARSE_ERROR", "const PARSE_ERROR = -32700"],
    ["CallToolRequestParams", 'type CallToolRequestParams = CallToolRequest["params"]'],
  ])("shows %s", async (name, expected) => {
    using folder = new TestFolder();
    const { code, stdout } = await cli(["inspect", "2025-06-18", name], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toContain(expected);
  });

  it("reads a schema file of the user", async () => {
    using folder = new TestFolder().put({ "s.ts": SMALL_SCHEMA });
    const { code, stdout } = await cli(["inspect", "s.ts", "Tool"], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toContain("interface Tool\n  A tool.\n  It has a name.\n");
  });
});

describe("diff", () => {
  it("compares bundled revisions as text, Markdown and JSON", async () => {
    using folder = new TestFolder();
    const args = ["diff", "2025-03-26", "2025-06-18"];
    const text = await cli(args, { cwd: folder.path });
    expect(text.code).toBe(0);
    expect(text.stdout).toMatch(/^2025-03-26 → 2025-06-18\n/);
    expect(text.stdout).toMatch(/^ {2}\+ elicitation\/create: /m);
    const page = await cli([...args, "--markdown"], { cwd: folder.path });
    expect(page.stdout).toMatch(/^# From 2025-03-26 to 2025-06-18\n/);
    const { json } = await cliJson(args, { cwd: folder.path });
    expect(json).toMatchObject({ command: "diff", diff: { from: "2025-03-26", to: "2025-06-18" } });
  });

  it("classifies changes by the side that must follow, and fails if --fail-on says so", async () => {
    using folder = new TestFolder();
    const args = ["diff", "2024-11-05", "2025-03-26"];
    const { stdout } = await cli(args, { cwd: folder.path });
    expect(stdout).toContain("breaking  client CallToolResult /content/*: may be AudioContent now");
    const codes = await Promise.all(
      ["any", "breaking"].map(
        async (limit) => (await cli([...args, "--fail-on", limit], { cwd: folder.path })).code,
      ),
    );
    expect(codes).toEqual([1, 1]);
    const same = ["diff", "2024-11-05", "2024-11-05", "--fail-on", "any"];
    expect((await cli(same, { cwd: folder.path })).code).toBe(0);
    const { json } = await cliJson([...args, "--side", "server"], { cwd: folder.path });
    const { changes } = json as unknown as { changes: { class: string; sides: string[] }[] };
    expect(changes).toContainEqual({
      class: "breaking",
      sides: ["server"],
      name: "CreateMessageResult",
      pointer: "/content",
      message: "may be AudioContent now",
    });
    expect(changes.every(({ sides }) => sides.includes("server"))).toBe(true);
    const prose = ["diff", "2025-11-25", "2026-07-28", "--side", "client", "--fail-on", "prose"];
    expect((await cli(prose, { cwd: folder.path })).code).toBe(1);
  });

  it("accepts files, and names them as they were given", async () => {
    using folder = new TestFolder().put({
      "a.ts": SMALL_SCHEMA,
      "b.ts": SMALL_SCHEMA.replace(
        "Tool { name: string }",
        "Tool { name: string; title?: string }",
      ),
    });
    const { code, stdout } = await cli(["diff", "a.ts", "b.ts"], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^a\.ts → b\.ts\n/);
    expect(stdout).toContain("+ Tool: title?: string");
  });

  it("ends with 3 for an invalid schema", async () => {
    using folder = new TestFolder().put({ "a.ts": SMALL_SCHEMA, "b.ts": "export enum X {}\n" });
    const { code, stdout, stderr } = await cli(["diff", "a.ts", "b.ts"], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/^b\.ts:1:\d+ - error MCG2\d{3}: /);
  });
});
