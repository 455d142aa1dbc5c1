import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledRevisions } from "../../generator/bundled/bundled.js";
import { root } from "../support/pack.js";
import { runOrThrow } from "../support/run.js";
import { combinations } from "./candidates.js";
import { ID, Invented } from "./invented.js";

const revisions = [
  ID,
  ...bundledRevisions()
    .map(({ revision }) => revision)
    .toReversed(),
];
const tour = join(root, "test/future/tour");

describe.each(combinations)("a revision with $name", ({ schema, module, found }) => {
  let project: Invented;
  beforeAll(() => {
    project = new Invented();
  });
  afterAll(() => project[Symbol.dispose]());

  it("generates and compiles without facts and without a handwritten line", async () => {
    expect(await project.generate(schema)).toEqual([]);
    const modules = readdirSync(tour).map((name) => [name, readFileSync(join(tour, name), "utf8")]);
    const own = { "candidate.ts": module };
    expect(await project.compile({ ...Object.fromEntries(modules), ...own })).toBe("");
  }, 180_000);

  it("serves all revisions to a universal client, without a report", async () => {
    const { folder } = project;
    const program = [join(folder, "client.js"), join(folder, "stdio.js")];
    const visits = JSON.parse(await runOrThrow(process.execPath, program)) as object[];
    const expected = ["stdio", "http"].flatMap((transport) =>
      revisions.map((revision) => ({
        transport,
        revision,
        progress: 1,
        changes: [],
        errors: [],
        problems: [],
        ...(revision === ID && { used: found }),
      })),
    );
    expect(visits).toMatchObject(expected);
  }, 180_000);
});
