import { describe, expect, test } from "vitest";
import { VALIDATOR_IMPORTS } from "../../generator/plan/runtime-imports.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { validatorsText } from "./build.js";

describe.each(bundled)("validators.ts of %s", (revision) => {
  const protocol = protocolOf(revision);
  const text = validatorsText(protocol);

  test("exports one function per type and per named parameters, and classify", () => {
    const names = [...text.matchAll(/^export (?:function|const) ([\w$]+)[(:]/gm)].map(
      ([, name]) => name!,
    );
    const wanted = protocol.declarations.flatMap(({ kind, name }) => [
      ...(kind === "const" ? [] : [name]),
      ...protocol.synthesized.filter(({ owner }) => owner === name).map((one) => one.name),
    ]);
    expect(names).toEqual(wanted);
    expect(text.match(/^export (?!function|const).*$/gm)).toEqual(["export { classify };"]);
  });

  test("imports its types and the runtime's module, and only what it uses", () => {
    const imports = [...text.matchAll(/^import (.+) from "(.+)";$/gm)];
    expect(imports.map(([, , from]) => from)).toEqual([
      "@mcp-codegen/runtime/codegen",
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

  test("contains functions only, and makes no code from strings", () => {
    expect(text).not.toMatch(/\beval\b|\bnew\b|\bimport\(|\bFunction\b/);
    const outside = text
      .replace(/^(?:(?:export )?function|export const) [^]*?\n\n/gm, "")
      .trimEnd()
      .split("\n");
    const known = /^(\/\/ .*|import .*|export \{ classify \};|)$/;
    expect(outside.filter((line) => !known.test(line))).toEqual([]);
  });

  test("is the same every time", () => {
    expect(validatorsText(protocolOf(revision))).toBe(text);
  });
});
