import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build, root } from "./build.js";
import { cli, cliJson } from "./cli.js";
import { FileServer, redirect, refused, REVISION, schema } from "./pull-support.js";
import { SMALL_SCHEMA } from "./small-schema.js";
import { describeWith } from "../support/conditional.js";
import { OFFICIAL, officialSchema } from "../support/official.js";

const files = new FileServer();

beforeAll(async () => {
  await build();
  await files.listen();
}, 120_000);
afterAll(() => files.close());
beforeEach(() => void files.reset());

describe("pull", () => {
  it("writes a verified file into schema/<revision>/ and names the next step", async () => {
    using folder = new TestFolder();
    const { code, stdout, stderr } = await files.pull(folder, "/schema.ts");
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^schema\/2025-03-26\/schema\.ts {2}written, \d+ kB, with the recorded wire digest\n$/,
    );
    expect(stderr).toContain("--schema schema/2025-03-26/schema.ts --revision 2025-03-26");
    expect(folder.list()).toEqual(["schema/", "schema/2025-03-26/", "schema/2025-03-26/schema.ts"]);
    expect(folder.read("schema/2025-03-26/schema.ts")).toBe(schema);
    const { json } = await cliJson(["pull", REVISION, "--from", `${files.origin}/schema.ts`], {
      cwd: folder.path,
    });
    expect(json).toMatchObject({
      command: "pull",
      exitCode: 0,
      revision: REVISION,
      status: "same",
      verified: "wire",
      sha256: createHash("sha256").update(schema).digest("hex"),
    });
  });

  it("writes a verified file of an extension into schema/extensions/<name>/", async () => {
    using folder = new TestFolder();
    const text = readFileSync(join(root, "schema/extensions/tasks/schema.ts"), "utf8");
    files.answers["/tasks.ts"] = (_, response) => response.end(text);
    files.answers["/other.ts"] = (_, response) =>
      response.end(text.replace("taskId: string", "taskId: number"));
    const line = (path: string) => ["tasks", "--from", `${files.origin}${path}`];
    await refused(folder, line("/other.ts"), {
      code: 3,
      problem: "MCG1103",
      message: "The file has the wire digest",
    });
    const { code, stdout, stderr } = await cli(["pull", ...line("/tasks.ts")], {
      cwd: folder.path,
    });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("schema/extensions/tasks/schema.ts  written, ");
    expect(folder.read("schema/extensions/tasks/schema.ts")).toBe(text);
    await refused(folder, ["skills"], {
      code: 2,
      problem: "MCG0001",
      message: "No schema of io.modelcontextprotocol/skills is published.",
    });
  });

  it("follows redirects on the same host, also relative ones", async () => {
    using folder = new TestFolder();
    files.answers["/a"] = redirect("/b", 301);
    files.answers["/b"] = redirect(`${files.origin}/schema.ts`, 307);
    expect((await files.pull(folder, "/a")).code).toBe(0);
    expect(files.requests).toEqual(["/a", "/b", "/schema.ts"]);
  });

  it("replaces a different file only with --force", async () => {
    using folder = new TestFolder().put({ "schema/2025-03-26/schema.ts": "// mine\n" });
    const line = [REVISION, "--from", `${files.origin}/schema.ts`];
    await refused(folder, line, {
      code: 3,
      problem: "MCG6008",
      message: "exists, and is different",
    });
    expect(folder.read("schema/2025-03-26/schema.ts")).toBe("// mine\n");
    const { code, stdout } = await files.pull(folder, "/schema.ts", "--force");
    expect(code).toBe(0);
    expect(stdout).toContain("replaced");
    expect(folder.read("schema/2025-03-26/schema.ts")).toBe(schema);
  });

  it("accepts a file without a record only with --accept-new", async () => {
    using folder = new TestFolder();
    files.answers["/draft.ts"] = (_, response) => response.end(SMALL_SCHEMA);
    const line = ["draft", "--from", `${files.origin}/draft.ts`];
    await refused(folder, line, { code: 2, problem: "MCG0002", message: "No digest of revision" });
    expect(files.requests).toEqual([]);
    const { code, json } = await cliJson(["pull", ...line, "--accept-new"], { cwd: folder.path });
    expect(code).toBe(0);
    expect(json).toMatchObject({
      verified: "accepted",
      path: join("schema", "draft", "schema.ts"),
    });
    expect(folder.read("schema/draft/schema.ts")).toBe(SMALL_SCHEMA);
  });

  it("writes the protocol of a file without a record into its facts", async () => {
    using folder = new TestFolder();
    files.answers["/draft.ts"] = (_, response) => response.end(SMALL_SCHEMA);
    const from = ["pull", "draft", "--accept-new", "--from", `${files.origin}/draft.ts`];
    const { stderr } = await cli(from, { cwd: folder.path });
    expect(JSON.parse(folder.read("schema/draft/facts.json"))).toEqual({
      revision: "draft",
      name: "Model Context Protocol",
      specification: "https://modelcontextprotocol.io/specification/draft",
      keywords: ["mcp", "model-context-protocol"],
    });
    const [, command = ""] = /Generate from it with: mcp-codegen (.*)/.exec(stderr) ?? [];
    expect((await cli(command.split(" "), { cwd: folder.path })).code).toBe(0);
    expect(folder.read("generated/draft/README.md")).toContain(
      "Revision draft of the [Model Context Protocol](https://modelcontextprotocol.io/specification/draft)",
    );
    folder.put({ "schema/draft/facts.json": '{ "revision": "draft" }' });
    expect((await cli(from, { cwd: folder.path })).code).toBe(0);
    expect(folder.read("schema/draft/facts.json")).toBe('{ "revision": "draft" }');
  });
});

describe("pull rejects a tampered file (G05)", () => {
  it("rejects another wire digest (MCG1103) unless it is accepted", async () => {
    using folder = new TestFolder();
    const tampered = schema.replace("TextContent {", "TextContent {\n  extra?: string;");
    expect(tampered).not.toBe(schema);
    files.answers["/schema.ts"] = (_, response) => response.end(tampered);
    const line = [REVISION, "--from", `${files.origin}/schema.ts`];
    await refused(folder, line, { code: 3, problem: "MCG1103", message: "is recorded" });
    const { code, stdout } = await files.pull(folder, "/schema.ts", "--accept-new");
    expect(code).toBe(0);
    expect(stdout).toContain("accepted without a record");
  });

  it("rejects a file that is no longer a protocol (MCG1103), with the reason", async () => {
    using folder = new TestFolder();
    const tampered = schema.replace("export type ClientRequest =", "export type ClientRequests =");
    expect(tampered).not.toBe(schema);
    files.answers["/schema.ts"] = (_, response) => response.end(tampered);
    const line = [REVISION, "--from", `${files.origin}/schema.ts`];
    await refused(folder, line, { code: 3, problem: "MCG1103", message: "does not link" });
    const { stderr } = await files.pull(folder, "/schema.ts");
    expect(stderr).toMatch(/error MCG3\d{3}: /);
  });

  it.each([
    ["a web page", "<!DOCTYPE html><html></html>", "MCG1102", "web page"],
    ["another file", "404: Not Found", "MCG1102", "not a schema"],
    ["TypeScript of another kind", "export enum X {}\n", "MCG1102", "not a schema"],
    ["nothing", "", "MCG1005", "empty"],
    ["bytes that are not UTF-8", Buffer.from([0x61, 0xff, 0x62]), "MCG1002", "UTF-8"],
  ])("rejects a file that is %s, accepted or not", async (_, body, problem, message) => {
    using folder = new TestFolder();
    files.answers["/schema.ts"] = (__, response) => response.end(body);
    const line = [REVISION, "--accept-new", "--from", `${files.origin}/schema.ts`];
    await refused(folder, line, { code: 3, problem, message });
  });
});

describe("pull fetches over HTTPS only, except from loopback", () => {
  it.each([
    ["http://example.com/schema.ts", '"http:" is not fetched'],
    ["http://127.0.0.1.nip.io/schema.ts", '"http:" is not fetched'],
    ["http://localhost.example.com/schema.ts", '"http:" is not fetched'],
    ["file:///etc/passwd", '"file:" is not fetched'],
    ["ftp://example.com/schema.ts", '"ftp:" is not fetched'],
    ["data:text/plain,export", '"data:" is not fetched'],
    ["https://user:secret@example.com/schema.ts", "contains credentials"],
    ["schema.ts", "not an address"],
  ])("ends with 2 for %s", async (address, message) => {
    using folder = new TestFolder();
    const expected = { code: 2, problem: "MCG0004", message };
    await refused(folder, [REVISION, "--from", address], expected);
    const { stderr } = await cli(["pull", REVISION, "--from", address], { cwd: folder.path });
    expect(stderr).not.toContain("secret");
  });
});

const official = officialSchema(REVISION);

describeWith(official !== undefined, OFFICIAL, "the official file", () => {
  it("is recognised by its bytes", async () => {
    using folder = new TestFolder();
    const bytes = readFileSync(official!);
    files.answers["/schema.ts"] = (_, response) => response.end(bytes);
    const { code, stdout } = await files.pull(folder, "/schema.ts");
    expect(code).toBe(0);
    expect(stdout).toContain("the recorded file");
  });
});
