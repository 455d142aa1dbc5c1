import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emit } from "../../generator/emit/emit.js";
import { format } from "../../generator/format/format.js";
import { revisions } from "../generator/bundled.js";
import { hostilePlan } from "../generator/hostile.js";
import { COMPILERS, Workspace } from "./workspace.js";

const workspace = new Workspace();
beforeAll(async () => workspace.add("hostile", await format(emit(hostilePlan()))));
afterAll(() => workspace.remove());

const packages = [...revisions, "hostile"].map((name) => `${name}/*.ts`);

describe.concurrent.each(COMPILERS)("%s", (compiler) => {
  it.each(["nodenext", "bundler"] as const)(
    "compiles all packages, also a hostile one, under %s",
    async (resolution) => {
      expect(await workspace.compile(compiler, resolution, packages)).toEqual([]);
    },
    120_000,
  );
});

it("the generated code passes other strict settings", async () => {
  const options = {
    noUnusedLocals: true,
    noUnusedParameters: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noFallthroughCasesInSwitch: true,
    noPropertyAccessFromIndexSignature: true,
  };
  const errors = await workspace.compile("typescript", "nodenext", packages, options);
  expect(errors.filter(({ file }) => !file.includes("runtime/"))).toEqual([]);
});

it("the check would find an error", async () => {
  workspace.add("broken", [{ path: "x.ts", text: "export const x: string = 1;\n" }]);
  expect(await workspace.compile("typescript", "nodenext", ["broken/*.ts"])).toMatchObject([
    { line: 1, code: "TS2322" },
  ]);
});
