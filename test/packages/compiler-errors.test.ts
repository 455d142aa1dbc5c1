import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";

interface Mistake {
  readonly what: string;
  readonly code: string;
  /** Texts that lead the reader to the mistake. */
  readonly says: readonly string[];
  /** The maximum length of the first error. */
  readonly lines: number;
  readonly characters: number;
}

const MISTAKES: readonly Mistake[] = [
  {
    what: "a tool that returns a number",
    code: `server.registerTool("a", {}, () => 42);`,
    says: ["'number' is not assignable", "to return an object, declare an outputSchema"],
    lines: 1,
    characters: 170,
  },
  {
    what: "a tool whose text is a number, asynchronously",
    code: `server.registerTool("a", {}, async () => ({ content: [{ type: "text", text: 5 }] }));`,
    says: ["Types of property 'text'", "'number' is not assignable to type 'string'"],
    lines: 10,
    characters: 1160,
  },
  {
    what: "a tool whose text is misspelt",
    code: `server.registerTool("a", {}, () => ({ content: [{ type: "text", txt: "" }] }));`,
    says: ["Did you mean to write 'text'?"],
    lines: 1,
    characters: 180,
  },
  {
    what: "a tool that returns an object of unknown shape",
    code: `server.registerTool("a", {}, async () => ({ text: "hello" }));`,
    says: ["'{ text: string; }' is not assignable", "to return an object, declare an outputSchema"],
    lines: 3,
    characters: 480,
  },
  {
    what: "structured content that the outputSchema does not allow",
    code: `server.registerTool("a", { outputSchema: z.object({ n: z.number() }) }, async () => ({ n: "1" }));`,
    says: ["StructuredOutcome<", "Types of property 'n'"],
    lines: 6,
    characters: 700,
  },
  {
    what: "a tool with arguments and without an inputSchema",
    code: `server.registerTool("a", {}, (args, ctx) => "");`,
    says: ["HandlerWithoutInputSchema<", "Expected 2 or more, but got 1"],
    lines: 2,
    characters: 280,
  },
  {
    what: "a tool that destructures its arguments and has no inputSchema",
    code: `server.registerTool("a", {}, ({ name }: { name: string }) => name);`,
    says: ["HandlerWithoutInputSchema<", "Property 'name' is missing"],
    lines: 3,
    characters: 380,
  },
  {
    what: "a prompt with arguments and without an argsSchema",
    code: `server.registerPrompt("a", {}, (args, ctx) => "");`,
    says: ["HandlerWithoutArgsSchema<", "Expected 2 or more, but got 1"],
    lines: 2,
    characters: 270,
  },
  {
    what: "a form with an object in it",
    code: `server.registerTool("a", {}, async (ctx) => (await ctx.elicit({ message: "", requestedSchema: z.object({ at: z.object({}) }) })).action);`,
    says: ["a form has texts, numbers, booleans and choices only", 'OnlyFlatFields<"at">'],
    lines: 2,
    characters: 490,
  },
  {
    what: "a factory of servers for HTTP",
    code: "createHttpHandler(() => server);",
    says: ["'() => McpServer'", "parameter of type 'ServerInstance'"],
    lines: 1,
    characters: 140,
  },
  {
    what: "a misspelt command",
    code: `await connect({ cmd: "node" });`,
    says: ["'cmd' does not exist in type 'StdioTarget"],
    lines: 1,
    characters: 210,
  },
];

let folder: string;
let output: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-errors-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const config = { extends: join(root, "tsconfig.json"), include: ["*.ts"], exclude: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  for (const [index, { code }] of MISTAKES.entries()) {
    const text = [
      `import { McpServer, connect, createHttpHandler } from "@mcp-codegen/universal";`,
      `import * as z from "zod";`,
      `const server = new McpServer({ name: "a", version: "1" });`,
      code,
    ];
    writeFileSync(join(folder, `mistake-${index}.ts`), text.join("\n"));
  }
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", folder, "--pretty", "false"];
  output = (await run(process.execPath, args, { cwd: folder })).stdout;
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(MISTAKES.map((mistake, index) => ({ ...mistake, index })))(
  "the compiler is brief and clear about $what",
  ({ index, says, lines, characters }) => {
    const errors = output.split(/^(?=\S)/m);
    const error = errors.find((one) => one.startsWith(`mistake-${index}.ts(4,`))?.trimEnd() ?? "";
    for (const text of says) expect(error).toContain(text);
    expect(error.split("\n").length).toBeLessThanOrEqual(lines);
    expect(error.length).toBeLessThanOrEqual(characters);
  },
);
