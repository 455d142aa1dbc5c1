import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
// @ts-expect-error The configuration of the build has no declarations.
import { viewer } from "../../../runtime/testing/show/build-viewer.js";

it("builds the page from revisions that nothing loads later: it is one file, whatever their package is split into", () => {
  const { alias } = (viewer as { resolve: { alias: Record<string, string> } }).resolve;
  expect(readFileSync(alias["@mcp-codegen/universal/revisions"]!, "utf8")).not.toContain("import(");
});
