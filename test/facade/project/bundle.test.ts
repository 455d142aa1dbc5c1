import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packageFolders } from "../../support/pack.js";
import { sourcesOf } from "../../support/sources.js";
import { revisions } from "./revisions.js";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-bundle-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The source of each module in all our packages. */
const sources: ReadonlyMap<string, string> = new Map(
  packageFolders()
    .filter((path) => path !== ".")
    .flatMap(sourcesOf),
);

/** Bundles a program and the code that it loads later, without anything that it does not use. */
async function bundle(program: string): Promise<string> {
  const input = join(folder, "program.js");
  writeFileSync(input, program);
  const build = await rolldown({
    input,
    platform: "neutral",
    tsconfig: false,
    external: /^(?!\.|\/|@mcp-codegen)/,
    plugins: [{ name: "sources", resolveId: (specifier) => sources.get(specifier) ?? null }],
  });
  const { output } = await build.generate({ format: "esm", minify: true, comments: false });
  await build.close();
  return output.map((file) => ("code" in file ? file.code : "")).join("\n");
}

function idsIn(code: string): string[] {
  return revisions.map(({ id }) => id).filter((id) => code.includes(id));
}

it.each(revisions)(
  "a server for $id contains no other revision",
  async ({ id }) => {
    const code = await bundle(`
    import { McpServer } from "@mcp-codegen/universal/bare/server";
    import { revision } from "@mcp-codegen/universal/${id}";
    export const server = new McpServer({ name: "s", version: "1" }, { revisions: [revision] });
  `);
    expect(idsIn(code)).toEqual([id]);
  },
  60_000,
);

it.each(revisions)(
  "a client of $id contains no other revision",
  async ({ id }) => {
    const code = await bundle(`
    import { connect } from "@mcp-codegen/universal/bare/client";
    import { revision } from "@mcp-codegen/universal/${id}";
    export const client = await connect("http://localhost", { revisions: [revision] });
  `);
    expect(idsIn(code)).toEqual([id]);
  },
  60_000,
);

it("a server without own revisions contains all of them", async () => {
  const code = await bundle(`
    import { McpServer } from "@mcp-codegen/universal";
    export const server = new McpServer({ name: "s", version: "1" });
  `);
  expect(idsIn(code)).toEqual(revisions.map(({ id }) => id));
}, 60_000);
