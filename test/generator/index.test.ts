import { expect, it } from "vitest";
import * as library from "../../generator/index.js";

it("the library exports the stages and what they need", () => {
  expect(Object.keys(library).toSorted()).toEqual([
    "Diagnostics",
    "Shapes",
    "apiDigest",
    "bundledExtension",
    "bundledExtensions",
    "bundledRevision",
    "bundledRevisions",
    "compare",
    "defineConfig",
    "diff",
    "emit",
    "evolve",
    "format",
    "generate",
    "generateExtension",
    "generateUniversal",
    "link",
    "load",
    "model",
    "plan",
    "project",
    "readFacts",
    "readInventory",
    "renderReport",
    "sourceFromBytes",
    "unifiedDiff",
    "wireDigest",
    "write",
  ]);
});
