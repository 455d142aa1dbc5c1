import { describe, expect, test } from "vitest";
import { VALIDATOR_IMPORTS } from "../../generator/plan/runtime-imports.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { textsOf } from "./build.js";

/** Matches a row in the table of validators. */
const ROW =
  /^  ([\w$]+): Validator<types\.\1> = \/\* @__PURE__ \*\/ validator\((?:shapes|messageShapes), "\1", is[\w$]+(?:, contentOf[\w$]+)?\)[,;]$/gm;

/** Matches a list of exports. */
const LIST = /^export \{ ([\w$, ]+) \}( from "\.\/payloads\.js")?;$/gm;

const RUNTIME = "@mcp-codegen/runtime/codegen";
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  "payloads.ts": [RUNTIME, "./shapes.js", "./types.js"],
  "validators.ts": [RUNTIME, "./message-shapes.js", "./payloads.js", "./types.js"],
};
const FILES = Object.keys(IMPORTS);

const rowsOf = (text: string): string[] => [...text.matchAll(ROW)].map(([, name]) => name!);
const exportsOf = (text: string): string[][] =>
  [...text.matchAll(LIST)].map(([, names]) => names!.split(", "));

describe.each(bundled)("validators of %s", (revision) => {
  const protocol = protocolOf(revision);
  const texts = textsOf(protocol, FILES);
  const [payloads, validators] = texts as [string, string];

  test("validators.ts exports one validator per type and per named parameters, and classify", () => {
    const wanted = protocol.declarations.flatMap(({ kind, name }) => [
      ...(kind === "const" ? [] : [name]),
      ...protocol.synthesized.filter(({ owner }) => owner === name).map((one) => one.name),
    ]);
    const ofMessages = rowsOf(validators);
    const ofPayloads = rowsOf(payloads);
    expect(exportsOf(validators)).toEqual([["classify"], ofPayloads]);
    expect(ofPayloads).toEqual(wanted.filter((name) => !ofMessages.includes(name)));
    expect(ofMessages).toEqual(wanted.filter((name) => !ofPayloads.includes(name)));
  });

  test("payloads.ts has what methods use, and exports only the functions that validators.ts imports", () => {
    const used = protocol.methods.flatMap(({ params, result }) => [
      ...(params ? [params.type] : []),
      ...(result ? [result.type] : []),
    ]);
    expect(rowsOf(payloads)).toEqual(expect.arrayContaining(used));
    expect(rowsOf(payloads)).not.toContain("JSONRPCMessage");
    const [, imported] = /^import \{ (.+) \} from "\.\/payloads\.js";$/m.exec(validators)!;
    const [names] = exportsOf(payloads);
    expect(names!.toSorted()).toEqual(imported!.split(", "));
  });

  test.each(FILES)("%s imports its modules and the runtime's, and only what it uses", (file) => {
    const text = texts[FILES.indexOf(file)]!;
    const imports = [...text.matchAll(/^import (.+) from "(.+)";$/gm)];
    expect(imports.map(([, , from]) => from)).toEqual(IMPORTS[file]);
    const names = imports[0]![1]!
      .replace(/[{}]|type /g, "")
      .split(",")
      .map((name) => name.trim());
    const rest = text.slice(text.indexOf("export"));
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(rest))).toEqual([]);
    expect(names.filter((name) => !Object.hasOwn(VALIDATOR_IMPORTS, name))).toEqual([]);
  });

  test.each(FILES)(
    "%s contains a table and functions only, and creates no code from strings",
    (file) => {
      const text = texts[FILES.indexOf(file)]!;
      expect(text).not.toMatch(/\beval\b|\bnew\b|\bimport\(|\bFunction\b/);
      const outside = text
        .replace(/^function [^]*?\n\n/gm, "")
        .replace(ROW, "")
        .replace(LIST, "")
        .trimEnd()
        .split("\n");
      const known = /^(\/\/ .*|import .*|export const|)$/;
      expect(outside.filter((line) => !known.test(line))).toEqual([]);
    },
  );

  test("are the same every time", () => {
    expect(textsOf(protocolOf(revision), FILES)).toEqual(texts);
  });
});
