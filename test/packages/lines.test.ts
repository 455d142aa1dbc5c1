import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";
import { root, runtimeFolders } from "../support/pack.js";

const { breakLines } = (await import(join(root, "runtime/build/break-lines.mjs"))) as {
  readonly breakLines: (code: string) => string;
};

const program = `const a=\`{;${"x".repeat(200)};}\`;function f(){let s="…{;};";return a+s}class C{#x=1;m(){for(let i=0;i<2;i++)f();return/[;{}]/.test(a)}}${"f();".repeat(500)}export{C}`;

describe("minified modules are broken into lines", () => {
  it("between statements and members, and nowhere else", () => {
    const broken = breakLines(program);
    expect(broken.replaceAll("\n", "")).toBe(program);
    expect(broken.split("\n").length).toBeGreaterThan(3);
    for (const line of broken.split("\n").slice(0, -1)) expect(line).toMatch(/[;{}]$/);
    expect(() => parseAst(broken)).not.toThrow();
  });

  it.each(runtimeFolders())("so that nobody gets to see much of %s with an error", (folder) => {
    const dist = join(root, folder, "dist");
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
    const lines = files
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => readFileSync(join(dist, file), "utf8").split("\n"));
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(4000);
  });
});
