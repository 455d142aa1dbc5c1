import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
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

/** A tool as programs have them; each has types of its own. */
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

/** Type instantiations for a program with so many tools: unlike time, the same on each run. */
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

describe.each(["typescript-5.9", "typescript-6"])(
  "the type-check of 30 tools costs %s",
  (compiler) => {
    it("no more by the subpath than with the official SDK, nor with McpServer of universal", async () => {
      const costs: Record<string, number> = {};
      for (const [name, module] of Object.entries(MODULES)) {
        costs[name] = await instantiations(compiler, module, 30);
      }
      expect(costs["moved in"]).toBeLessThanOrEqual(costs["official"]!);
      expect(costs["moved in"]).toBeLessThanOrEqual(costs["own"]!);
    }, 120_000);

    it("no more per tool by the subpath than before", async () => {
      const [few, some, many] = [
        await instantiations(compiler, MODULES["moved in"], 1),
        await instantiations(compiler, MODULES["moved in"], 11),
        await instantiations(compiler, MODULES["moved in"], 31),
      ] as const;
      expect((many - some) / 20).toBeLessThanOrEqual(1.05 * ((some - few) / 10));
    }, 120_000);
  },
);
