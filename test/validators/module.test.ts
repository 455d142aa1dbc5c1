import { describe, expect, test } from "vitest";
import { VALIDATOR_IMPORTS } from "../../generator/plan/runtime-imports.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { validatorsText } from "./build.js";

/** A row of the table of validators. */
const ROW =
  /^  ([\w$]+): Validator<types\.\1> = \/\* @__PURE__ \*\/ validator\((?:shapes|messageShapes), "\1", is[\w$]+(?:, contentOf[\w$]+)?\)[,;]$/gm;

describe.each(bundled)("validators.ts of %s", (revision) => {
  const protocol = protocolOf(revision);
  const text = validatorsText(protocol);

  test("exports one validator per type and per named parameters, and classify", () => {
    const names = [...text.matchAll(ROW)].map(([, name]) => name!);
    const wanted = protocol.declarations.flatMap(({ kind, name }) => [
      ...(kind === "const" ? [] : [name]),
      ...protocol.synthesized.filter(({ owner }) => owner === name).map((one) => one.name),
    ]);
    expect(names).toEqual(wanted);
    expect(text.match(/^export .*$/gm)).toEqual(["export { classify };", "export const"]);
  });

  test("imports its types and the runtime's module, and only what it uses", () => {
    const imports = [...text.matchAll(/^import (.+) from "(.+)";$/gm)];
    expect(imports.map(([, , from]) => from)).toEqual([
      "@mcp-codegen/runtime/codegen",
      "./shapes.js",
      "./types.js",
    ]);
    const names = imports[0]![1]!
      .replace(/[{}]|type /g, "")
      .split(",")
      .map((name) => name.trim());
    const rest = text.slice(text.indexOf("export"));
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(rest))).toEqual([]);
    expect(names.filter((name) => !Object.hasOwn(VALIDATOR_IMPORTS, name))).toEqual([]);
  });

  test("contains a table and functions only, and creates no code from strings", () => {
    expect(text).not.toMatch(/\beval\b|\bnew\b|\bimport\(|\bFunction\b/);
    const outside = text
      .replace(/^function [^]*?\n\n/gm, "")
      .replace(ROW, "")
      .trimEnd()
      .split("\n");
    const known = /^(\/\/ .*|import .*|export \{ classify \};|export const|)$/;
    expect(outside.filter((line) => !known.test(line))).toEqual([]);
  });

  test("is the same every time", () => {
    expect(validatorsText(protocolOf(revision))).toBe(text);
  });
});
