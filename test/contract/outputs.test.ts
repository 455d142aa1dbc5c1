import { markupIn } from "../docs/markup.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { contractGuard } from "@mcp-codegen/contract";
import { connect, revisions } from "@mcp-codegen/universal";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleOf } from "../../runtime/contract/schema/sample.js";
import { build } from "../cli/build.js";
import { bin, start } from "../cli/cli.js";
import { ContractProject, program } from "./generated-code.js";
import { randomOf } from "../support/random.js";
import { randomSchema } from "./random-schemas.js";

beforeAll(build, 120_000);

const command = (name: string, ...args: string[]): string[] => [
  "--",
  process.execPath,
  program(name),
  ...args,
];

async function projectOf(...locked: string[]): Promise<ContractProject> {
  const project = new ContractProject();
  const { code, stderr } = await project.cli("lock", "tracker", ...locked);
  expect(code, stderr).toBe(0);
  return project;
}

describe("contract mock", () => {
  it.each(revisions.map((revision) => [revision.id, revision] as const))(
    "serves a contract over stdio at %s, with the same results each time, which match their schemas",
    async (_, revision) => {
      using project = await projectOf(...command("tracker"));
      const answers: unknown[] = [];
      for (const seed of ["1", "1", "2"]) {
        const args = [bin, "contract", "mock", "tracker", "--seed", seed];
        const client = await connect(
          { command: process.execPath, args, cwd: project.path },
          { revisions: [revision], checkOutput: true },
        );
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(["close", "search_issues"]);
        answers.push(await client.callTool("search_issues", { query: "a" }));
        expect((await client.callTool("close")).content).toMatchObject([
          { text: "Mock result of close for {}" },
        ]);
        expect((await client.getPrompt("review", { code: "x" })).messages).toHaveLength(1);
        expect((await client.readResource("tracker://motd")).contents).toHaveLength(1);
        await client.close();
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).not.toEqual(answers[0]);
    },
    30_000,
  );

  it("serves over HTTP, keeps the contract, and exits on a signal", async () => {
    using project = await projectOf(...command("tracker"));
    const mock = start(["contract", "mock", "--port", "0"], { cwd: project.path });
    await expect.poll(mock.stderr).toContain("Mock of tracker at ");
    const [, url] = / at (http:\S+);/.exec(mock.stderr()) ?? [];
    const { servers } = JSON.parse(project.read("mcp.lock.json")) as {
      servers: { tracker: never };
    };
    const client = await connect(url!, { plugins: [contractGuard(servers.tracker)] });
    expect((await client.callTool("search_issues", { query: "a" })).isError).not.toBe(true);
    await client.close();
    mock.signal("SIGTERM");
    expect((await mock.finished).code).toBe(0);
  });

  it("creates valid values: for nearly all random schemas, in bounded time", () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false }));
    let fitting = 0;
    let possible = 0;
    for (let seed = 1; seed <= 500; seed += 1) {
      const schema = randomSchema(randomOf(seed), 3);
      // A definition that refers to itself has no values.
      if (JSON.stringify((schema["$defs"] as { D: object }).D).includes("#/$defs/D")) continue;
      const fits = ajv.compile(schema);
      possible += 1;
      if (fits(sampleOf(schema, "s"))) fitting += 1;
    }
    expect(fitting / possible).toBeGreaterThan(0.6);
    const node = {
      $defs: {
        N: {
          type: "object",
          properties: { a: { $ref: "#/$defs/N" }, b: { $ref: "#/$defs/N" } },
          required: ["a", "b"],
        },
      },
      $ref: "#/$defs/N",
    };
    expect(sampleOf({ type: "string", format: "uri" }, "s")).toBe("https://example.com/");
    expect(sampleOf({ type: "integer", minimum: 7, maximum: 7 }, "s")).toBe(7);
    expect(() => sampleOf(node, "s")).not.toThrow();
  });
});

describe("contract tree", () => {
  it("writes a module for each tool that compiles and calls, and a list of them", async () => {
    using project = await projectOf(...command("tracker"));
    expect((await project.cli("contract", "tree", "--out", "src/tree")).code).toBe(0);
    expect(project.read("src/tree/index.md")).toContain(
      "- [`search_issues`](tools/search-issues.ts): Finds issues\n",
    );
    project.put({
      "src/use.ts": `import { connect } from "@mcp-codegen/universal";
import { useClient } from "./tree/call.js";
import { searchIssues } from "./tree/tools/search-issues.js";
useClient(await connect("https://tracker.example/mcp"));
const outcome = await searchIssues({ query: "a" });
export const hits: string[] = outcome.isError ? [] : outcome.structured.hits;
// @ts-expect-error the query is required
await searchIssues({});
`,
    });
    expect(await project.compile()).toBe("");
    const { useClient } = await project.load<{ useClient(client: object): void }>("tree/call.ts");
    const { searchIssues } = await project.load<{ searchIssues(args: object): Promise<unknown> }>(
      "tree/tools/search-issues.ts",
    );
    expect(() => searchIssues({ query: "a" })).toThrow("Call useClient(client) first");
    useClient({ callTool: async () => ({ content: [], structuredContent: { hits: ["x"] } }) });
    expect(await searchIssues({ query: "a" })).toMatchObject({ structured: { hits: ["x"] } });
    expect((await project.cli("contract", "tree", "--out", "src/tree", "--check")).code).toBe(0);
  });
});

describe("pages and modules of a hostile contract", () => {
  it("contain no markup of theirs, stay in their folders, and compile", async () => {
    using project = await projectOf(...command("hostile", "names"));
    expect((await project.cli("contract", "tree", "--out", "src/tree")).code).toBe(0);
    const docs = await project.cli("contract", "docs", "--out", "docs");
    expect([docs.code, docs.stderr]).toEqual([0, expect.not.stringContaining("cannot be checked")]);
    const html = project.read("docs/index.html");
    expect(html).toContain("*/");
    expect(markupIn([{ path: "index.html", text: html }])).toEqual([]);
    const markdown = `${project.read("docs/index.md")}${project.read("src/tree/index.md")}`;
    const outside = markdown
      .replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, "")
      .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "");
    expect(outside).not.toMatch(/<(?!!--)|\]\((?!tools\/)/);
    expect(`${html}${markdown}`).not.toContain("*\\/");
    expect(`${html}${markdown}`).not.toMatch(/[\u202e\u200b\u{e0041}]/u);
    const files = project.list().filter((path) => !path.startsWith("node_modules"));
    expect(
      files
        .filter((path) => path.endsWith(".ts"))
        .every((path) => /^src\/tree\/(?:tools\/)?[a-z0-9-]+\.ts$/.test(path)),
    ).toBe(true);
    expect(files.filter((path) => path.startsWith("src/tree/tools/")).length).toBeGreaterThan(25);
    expect(await project.compile()).toBe("");
  }, 60_000);

  it("are checked and owned like everything generated", async () => {
    using project = await projectOf(...command("tracker"));
    expect((await project.cli("contract", "docs", "--out", "docs")).code).toBe(0);
    expect((await project.cli("contract", "docs", "--out", "docs", "--check")).code).toBe(0);
    project.put({ "docs/index.md": "# Mine\n" });
    const { code, stderr } = await project.cli("contract", "docs", "--out", "docs");
    expect(code).toBe(3);
    expect(stderr).toContain("is in the way");
    expect(readFileSync(join(project.path, "docs/index.md"), "utf8")).toBe("# Mine\n");
  });
});
