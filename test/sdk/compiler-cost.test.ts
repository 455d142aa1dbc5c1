import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-codegen-cost-"));
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MODULES = {
  official: "@modelcontextprotocol/server",
  own: "@mcp-codegen/universal",
  "moved in": "@mcp-codegen/sdk/server",
} as const;

/** Returns a tool such as programs have; each has its own types. */
const toolOf = (n: number): string => `
server.registerTool("tool${n}", {
  title: "Tool ${n}",
  inputSchema: z.object({
    a${n}: z.string(), b: z.number().optional(), tags: z.array(z.string()), mode: z.enum(["x", "y${n}"]),
  }),
  outputSchema: z.object({ n${n}: z.number(), text: z.string() }),
}, async ({ a${n}, b, tags, mode }, ctx) => {
  if (ctx.mcpReq.signal.aborted) return { content: [{ type: "text", text: "stopped" }], isError: true };
  const text = \`\${a${n}} \${b ?? 0} \${tags.length} \${mode}\`;
  return { content: [{ type: "text", text }], structuredContent: { n${n}: 1, text } };
});`;

/**
 * Returns the number of type instantiations for a program with this many tools. Unlike time, it is the same on each
 * run.
 */
async function instantiations(compiler: string, module: string, tools: number): Promise<number> {
  const program = join(folder, "program.ts");
  writeFileSync(
    program,
    `import { McpServer } from "${module}";
import * as z from "zod";
export const server = new McpServer({ name: "many", version: "1.0.0" });
${Array.from({ length: tools }, (_, n) => toolOf(n)).join("\n")}
`,
  );
  const flags = "--noEmit --strict --skipLibCheck --module nodenext --target es2023";
  const tsc = join(root, "node_modules", compiler, "bin/tsc");
  const args = [tsc, ...flags.split(" "), "--extendedDiagnostics", program];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  const [, count] = /^Instantiations:\s+(\d+)$/m.exec(stdout) ?? [];
  if (count === undefined || stdout.includes("error TS")) throw new Error(stdout);
  return Number(count);
}

describe("the type-check of 31 tools", () => {
  const compiler = "typescript-6";
  let cost: number;
  beforeAll(async () => {
    cost = await instantiations(compiler, MODULES["moved in"], 31);
  }, 120_000);

  it.each(["official", "own"] as const)(
    "costs no more by the subpath than with %s",
    async (name) => {
      expect(cost).toBeLessThanOrEqual(await instantiations(compiler, MODULES[name], 31));
    },
    120_000,
  );

  it("costs no more per tool than that of a few tools", async () => {
    const few = await instantiations(compiler, MODULES["moved in"], 1);
    const some = await instantiations(compiler, MODULES["moved in"], 11);
    expect((cost - some) / 20).toBeLessThanOrEqual(1.05 * ((some - few) / 10));
  }, 120_000);
});
