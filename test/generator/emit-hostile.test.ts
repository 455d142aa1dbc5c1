import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";
import { emit } from "../../generator/emit/emit.js";
import { format } from "../../generator/format/format.js";
import { BREAKOUTS, hostilePlan } from "./hostile.js";

const files = await format(emit(hostilePlan()));
const modules = files.filter(({ path }) => path.endsWith(".ts"));

/** The pages for people. JSON needs no check, because it escapes everything that a text editor would not show. */
const pages = files.filter(({ path }) => path !== "protocol.json");

/** Returns the tokens that a compiler reads as code, which are neither comments nor strings. */
function tokens(text: string): string[] {
  const sourceFile = ts.createSourceFile("m.ts", text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node.text);
    else if (!ts.isStringLiteral(node)) ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return found;
}

describe("a hostile schema", () => {
  it("generates all modules", () => {
    expect(modules.map(({ path }) => path)).toEqual([
      "types.ts",
      "payloads.ts",
      "validators.ts",
      "shapes.ts",
      "message-shapes.ts",
      "methods.ts",
      "client.ts",
      "server.ts",
      "index.ts",
    ]);
  });

  it.each(modules)("cannot inject code into $path", ({ text }) => {
    expect(text).toContain("PWNED");
    expect(tokens(text).filter((token) => token === "PWNED")).toEqual([]);
  });

  it.each(pages)("leaves no invisible characters in $path, and only line feeds", ({ text }) => {
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it.each(modules)("cannot disable checks in $path", ({ text }) => {
    expect(text).not.toMatch(/^[\s/*]*@ts-/m);
  });

  it("keeps its unusual names exactly", () => {
    const types = modules.find(({ path }) => path === "types.ts")!.text;
    const sourceFile = ts.createSourceFile("m.ts", types, ts.ScriptTarget.Latest, true);
    const result = sourceFile.statements.find(
      (statement): statement is ts.InterfaceDeclaration =>
        ts.isInterfaceDeclaration(statement) && statement.name.text === "OddResult",
    )!;
    const names = result.members.map((member) => (member.name as ts.StringLiteral).text);
    expect(names).toEqual(expect.arrayContaining([...BREAKOUTS, "__proto__", "constructor"]));
  });

  it("cannot break out of the comment or the tables of README.md", () => {
    const readme = files.find(({ path }) => path === "README.md")!.text;
    const [comment, ...lines] = readme.split("\n");
    expect(comment).toMatch(/^<!--(?:(?!--).)*-->$/);
    expect(lines.filter((line) => line.includes("PWNED") && !line.startsWith("| `"))).toEqual([]);
  });

  it("leaves package.json and tsconfig.json unchanged", () => {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    expect(JSON.parse(texts.get("package.json")!)["//"]).toContain("PWNED");
    expect(texts.get("tsconfig.json")!.split("\n")[1]).toBe("{");
  });
});
