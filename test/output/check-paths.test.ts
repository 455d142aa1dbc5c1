import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { checkPaths } from "../../generator/output/paths.js";

function check(...paths: string[]): { ok: boolean; found: string[] } {
  const diagnostics = new Diagnostics();
  const ok = checkPaths(paths, diagnostics);
  expect(diagnostics.items.every(({ file, hint }) => file !== undefined && hint)).toBe(true);
  return { ok, found: diagnostics.items.map(({ code, message }) => `${code} ${message}`) };
}

describe("paths of generated files", () => {
  it("may be nested", () => {
    const paths = ["types.ts", "package.json", "tools/a.ts", "tools/b.ts", ".gitignore"];
    expect(check(...paths)).toEqual({ ok: true, found: [] });
  });

  it.each([
    ["../x.ts", 'it contains ".."'],
    ["a/../../x.ts", 'it contains ".."'],
    ["./x.ts", 'it contains "."'],
    ["/etc/passwd", "it is absolute"],
    ["a//b.ts", "it has an empty name"],
    ["", "it has an empty name"],
    ["a\\b.ts", "a character that file systems refuse"],
    ["c:x.ts", "a character that file systems refuse"],
    ["a\u0000.ts", "a character that file systems refuse"],
    ["a\n.ts", "a character that file systems refuse"],
    ["CON", "the name of a device on Windows"],
    ["tools/nul.ts", "the name of a device on Windows"],
    ["LPT1.ts", "the name of a device on Windows"],
    ["x.", "ends with a dot or a space"],
    ["x /y.ts", "ends with a dot or a space"],
    [`${"n".repeat(300)}.ts`, "longer than 200 bytes"],
    [`${"ü".repeat(120)}.ts`, "longer than 200 bytes"],
  ])("are rejected if they are %j (MCG6001) (S11)", (path, problem) => {
    const { ok, found } = check(path);
    expect(ok).toBe(false);
    expect(found).toEqual([expect.stringMatching(/^MCG6001 /)]);
    expect(found[0]).toContain(problem);
  });

  it("are shortened in the message if they are long (S11)", () => {
    const [message = ""] = check("n".repeat(5000)).found;
    expect(message.length).toBeLessThan(200);
  });

  it.each([
    [["Tool.ts", "tool.ts"]],
    [["a/x.ts", "A/y.ts"]],
    [["caf\u00e9.ts", "cafe\u0301.ts"]],
    [["x.ts", "x.ts"]],
    [["tools", "tools/x.ts"]],
    [["tools/x.ts", "tools"]],
  ])("are rejected if they are the same for some file systems: %j (MCG6002) (S11)", (paths) => {
    const { ok, found } = check(...paths);
    expect(ok).toBe(false);
    expect(found).toEqual([expect.stringMatching(/^MCG6002 /)]);
  });

  it("are accepted if they only look like devices", () => {
    expect(check("console.ts", "auxiliary.ts", "com.ts", "a.con").ok).toBe(true);
  });
});
