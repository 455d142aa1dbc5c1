import { describe, expect, it } from "vitest";
import { isExtensionId } from "../../generator/plan/ids.js";
import { more, OLDER, replacing } from "../facade/extensions/support/edits.js";
import { generate } from "../facade/extensions/support/generated.js";

describe("an extension is refused", () => {
  it.each([
    [
      "if the revision has its method",
      replacing('"notes/list"', '"tools/list"'),
      "MCG5007 `tools/list` is a message of 2026-07-28 already.",
    ],
    [
      "if its requests would be sent inside results",
      {
        edit: (schema: string) =>
          OLDER.edit(schema).replace("type ClientRequest", "type InputRequest"),
      },
      "MCG5008 ListNotesRequest cannot travel inside of results: only the requests of a revision do.",
    ],
    [
      "if it imports a type that the revision does not declare",
      replacing("  Role,", "  Rolle as Role,"),
      'MCG2017 The schema for "../../../../schema/2026-07-28/schema.js" does not declare `Rolle`.',
    ],
    ["if it imports values", replacing("import type {", "import {"), /^MCG2015/],
    [
      "if it has a name that generated code needs",
      more("export interface validators {}"),
      "MCG5002 The name validators is taken: the package's index exports it.",
    ],
    ["if its id has no prefix", { id: "notes" }, /^MCG5006 "notes" cannot be the id/],
  ])("%s", async (_what, options, expected) => {
    const { files, problems } = await generate("notes", options);
    expect(files).toEqual([]);
    expect(problems[0]).toEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
  });

  it("if its facts are about another extension", async () => {
    const { problems } = await generate("tasks", { id: "com.example/tasks" });
    expect(problems).toEqual([
      "MCG3061 The facts are about io.modelcontextprotocol/tasks, not about com.example/tasks.",
    ]);
  });
});

it.each([
  ["com.example/maps", true],
  ["io.modelcontextprotocol/oauth-client-credentials", true],
  ["a/B.c_d", true],
  ["maps", false],
  ["/maps", false],
  ["com.example/", false],
  ["com..example/maps", false],
  ["1com/maps", false],
  ["com.example-/maps", false],
  ["com.example/maps/more", false],
  [`com.example/${"a".repeat(300)}`, false],
])("the id %s of an extension is %s (EXT-02)", (id, expected) => {
  expect(isExtensionId(id)).toBe(expected);
});
