import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type InterfaceDeclaration, Project } from "ts-morph";
import { root } from "../support/pack.js";
import { runOrThrow } from "../support/run.js";

/** The id of the invented revision. */
export const GROWN = "2027-06-30";

const LAST = "2026-07-28";

/** Map types, whose members are not those of the schema. */
const MAPS = ["InputRequests", "InputResponses"];

/**
 * Creates the schema of a revision that does not exist: 2026-07-28 with one more optional member in each object of a
 * message.
 */
function grownSchema(): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const text = readFileSync(join(root, "schema", LAST, "schema.ts"), "utf8");
  const file = project.createSourceFile("schema.ts", text);
  for (const one of file.getInterfaces().filter(isInMessages)) {
    one.addProperty({ name: "added", hasQuestionToken: true, type: "string", docs: ["New."] });
  }
  return file.getFullText();
}

/** Returns false for maps and for messages themselves, whose members are defined by JSON-RPC. */
function isInMessages(one: InterfaceDeclaration): boolean {
  const parents = one.getExtends().map((parent) => parent.getText());
  const isMessage =
    one.getName().startsWith("JSONRPC") ||
    one.getProperty("method") !== undefined ||
    parents.some((name) => /(Request|Notification|Response)$/.test(name));
  return !isMessage && !MAPS.includes(one.getName());
}

function grownFacts(): string {
  const file = join(root, "schema", LAST, "facts.json");
  const facts = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  for (const own of ["$schema", "official", "successors", "rules", "places"]) delete facts[own];
  return JSON.stringify({ ...facts, revision: GROWN });
}

/**
 * Generates the revision and the package of all revisions, and builds both. Returns a folder whose programs can import
 * them.
 */
export async function generateGrown(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-codegen-grown-"));
  const [own, ours] = [join(folder, "node_modules"), join(root, "node_modules")];
  mkdirSync(join(own, "@mcp-codegen"), { recursive: true });
  for (const name of readdirSync(ours)) {
    if (name !== "@mcp-codegen") symlinkSync(join(ours, name), join(own, name));
  }
  for (const name of readdirSync(join(ours, "@mcp-codegen"))) {
    const at = name === "universal" ? join(folder, "out") : join(ours, "@mcp-codegen");
    symlinkSync(join(at, name), join(own, "@mcp-codegen", name));
  }
  symlinkSync(join(folder, "out", GROWN), join(own, "@mcp-codegen", GROWN));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const [schema, facts] = [join(folder, "schema.ts"), join(folder, "facts.json")];
  writeFileSync(schema, grownSchema());
  writeFileSync(facts, grownFacts());
  const bundled = readdirSync(join(root, "schema"), { withFileTypes: true });
  const ids = bundled
    .filter((entry) => entry.isDirectory() && entry.name !== "extensions")
    .map(({ name }) => name);
  const revisions = [...ids, GROWN].flatMap((id) => ["--revision", id]);
  const cli = join(root, "generator/dist/cli/bin.js");
  const given = ["--universal", "--schema", schema, "--facts", facts];
  const args = [cli, ...given, ...revisions, "--out", join(folder, "out")];
  await runOrThrow(process.execPath, args, { cwd: folder });
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  for (const name of [GROWN, "universal"]) {
    await runOrThrow(process.execPath, [tsc, "-p", join(folder, "out", name)], { cwd: folder });
  }
  return folder;
}
