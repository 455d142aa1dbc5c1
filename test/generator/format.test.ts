import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { format } from "../../generator/format/format.js";
import { generateBundled, revisions } from "./bundled.js";

const formatted = async (path: string, text: string): Promise<string> =>
  (await format([{ path, text }]))[0]!.text;

afterEach(() => vi.restoreAllMocks());

it("TypeScript is formatted in one way, with line feeds", async () => {
  expect(await formatted("a.ts", "const a = {b:'c'}\r\n\r\n\r\nlet d")).toBe(
    `const a = { b: "c" };\n\nlet d;\n`,
  );
});

it("no configuration is read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-codegen-"));
  writeFileSync(join(folder, ".prettierrc"), JSON.stringify({ semi: false, tabWidth: 8 }));
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  expect(await formatted(join(folder, "a.ts"), "if (a) b")).toBe("if (a) b;\n");
  rmSync(folder, { recursive: true });
});

it("other files stay unchanged", async () => {
  expect(await formatted("a.json", `{"a":1 }`)).toBe(`{"a":1 }`);
});

it("text that is not TypeScript is refused", async () => {
  await expect(formatted("a.ts", "const = ;")).rejects.toThrow(SyntaxError);
});

it("formatted text stays unchanged", async () => {
  const files = await generateBundled(revisions.at(-1)!);
  expect(await format(files)).toEqual(files);
});
