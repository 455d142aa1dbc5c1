import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Shapes } from "../../generator/model/shape.js";
import { bare, modelOf } from "./model-of.js";
import { describeWith, itWhere } from "../support/conditional.js";
import { OFFICIAL, officialSchema } from "../support/official.js";

/** The numbers of interfaces, type aliases and constants in the official files. */
const COUNTS: Readonly<Record<string, readonly [number, number, number]>> = {
  "2024-11-05": [66, 13, 7],
  "2025-03-26": [68, 15, 7],
  "2025-06-18": [76, 15, 7],
  "2025-11-25": [120, 25, 8],
  "2026-07-28": [128, 27, 10],
};

const bundled = (revision: string) =>
  readText(fileURLToPath(new URL(`../../schema/${revision}/schema.ts`, import.meta.url)));

function readText(path: string): string {
  return readFileSync(path, "utf8");
}

describe.each(Object.entries(COUNTS))("our restatement of %s", (revision, counts) => {
  const { declarations } = modelOf(bundled(revision));

  it("is read completely", () => {
    const kinds = ["interface", "alias", "const"];
    const found = kinds.map((kind) => declarations.filter((each) => each.kind === kind).length);
    expect(found).toEqual(counts);
  });

  it("documents every interface, and puts every declaration under a heading", () => {
    const silent = declarations.filter(({ kind, doc }) => kind === "interface" && !doc?.text);
    expect(silent.map(({ name }) => name)).toEqual([]);
    expect(declarations.filter(({ section }) => !section).map(({ name }) => name)).toEqual([]);
  });
});

const exists = (name: string): boolean => officialSchema(name) !== undefined;
const officialText = (name: string): string => readText(officialSchema(name)!);

describeWith(exists("2024-11-05"), OFFICIAL, "the official files", () => {
  it.each(Object.keys(COUNTS))("%s equals our restatement", (revision) => {
    expect(bare(modelOf(officialText(revision)))).toEqual(bare(modelOf(bundled(revision))));
  });

  itWhere(exists("draft"))("the draft is accepted", () => {
    expect(modelOf(officialText("draft")).declarations.length).toBeGreaterThan(0);
  });

  itWhere(exists("ext-tasks"))("the Tasks extension resolves against its core", () => {
    const imports = new Map([["./spec.types.js", modelOf(bundled("2026-07-28"))]]);
    const { declarations } = modelOf(officialText("ext-tasks"), { imports });
    const shapes = new Shapes(declarations);
    const method = shapes.named("GetTaskRequest")?.members.get("method");
    expect(declarations.filter(({ imported }) => !imported)).toHaveLength(20);
    expect(shapes.memberLiteral(method)).toBe("tasks/get");
    expect(shapes.named("FailedTask")?.members.get("error")?.types[0]?.type).toMatchObject({
      name: "JSONRPCErrorObject",
    });
  });
});
