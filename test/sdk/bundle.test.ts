import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bundle } from "../support/bundle.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-sdk-bundle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function sizeOf(names: string, module: string): Promise<{ size: number; code: string }> {
  const input = join(folder, "program.ts");
  const imports = `import { ${names} } from "@mcp-codegen/sdk/${module}";`;
  writeFileSync(input, `${imports}\nconsole.log(${names});\n`);
  const code = await bundle(input, join(folder, "program.js"));
  return { size: Buffer.byteLength(code), code };
}

describe("a program bundles only what it uses", () => {
  it.each([
    ["McpError, ErrorCode", "types.js", 6_000],
    ["InMemoryTransport", "inMemory.js", 4_000],
    ["LATEST_PROTOCOL_VERSION, getDisplayName", "types.js", 2_000],
    ["UriTemplate", "shared/uriTemplate.js", 14_000],
  ])("%s of %s: at most %d bytes", async (names, module, most) => {
    const { size } = await sizeOf(names, module);
    expect(size).toBeLessThan(most);
  });

  it("no validator except the one of its schema constant", async () => {
    const { size, code } = await sizeOf("CallToolRequestSchema", "types.js");
    expect(code).toContain("tools/call");
    expect(code).not.toContain("===`ref/prompt`");
    expect(code).not.toContain("authorization_endpoint");
    expect(size).toBeLessThan(46_500);
  });
});
