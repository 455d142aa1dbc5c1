import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundledRevisions } from "../../generator/bundled/bundled.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { generate, type LinkInput, linkInput } from "../../generator/generate.js";
import { generateUniversal } from "../../generator/generate-universal.js";
import type { Protocol } from "../../generator/link/protocol.js";
import { readFacts } from "../../generator/link/read-facts.js";
import { load } from "../../generator/load/load.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";

/** The id of every invented revision. */
export const ID = "2027-03-31";

const tsc = join(root, "node_modules/typescript/bin/tsc");

/**
 * A project with the package of an invented revision, the package of all revisions, and everything else as it is here.
 */
export class Invented implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "mcp-codegen-invented-"));

  constructor() {
    linkPackages(this.folder);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Generates the packages from a schema without facts. Returns the generator's reports. */
  async generate(text: string): Promise<readonly string[]> {
    const diagnostics = new Diagnostics();
    const source = { file: "schema.ts", text, sha256: "0".repeat(64) };
    const own = { source, revision: ID };
    const inputs = [...bundledInputs(diagnostics), own];
    const linked = linkOnce();
    this.#write(ID, await generate(own, diagnostics, linked));
    this.#write("universal", await generateUniversal(inputs, diagnostics, [], linked));
    return diagnostics.items.map(({ code, message }) => `${code} ${message}`);
  }

  /** Compiles the packages together with the given modules. Returns the errors. */
  async compile(modules: Readonly<Record<string, string>>): Promise<string> {
    for (const name of [ID, "universal"]) {
      const built = await run(process.execPath, [tsc, "-p", join(this.folder, "out", name)]);
      if (built.code !== 0) return built.stdout;
    }
    for (const [path, text] of Object.entries(modules)) this.#put(path, text);
    this.#put("package.json", '{ "type": "module" }');
    const compilerOptions = {
      strict: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2023", "dom", "esnext.disposable"],
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      skipLibCheck: true,
    };
    const files = Object.keys(modules);
    this.#put("tsconfig.json", JSON.stringify({ compilerOptions, files }));
    return (await run(process.execPath, [tsc, "-p", this.folder])).stdout;
  }

  #write(name: string, files: readonly OutputFile[] = []): void {
    for (const { path, text } of files) this.#put(join("out", name, path), text);
  }

  #put(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Links all packages as they are here, except those that are generated. */
function linkPackages(folder: string): void {
  const [own, ours] = [join(folder, "node_modules"), join(root, "node_modules")];
  mkdirSync(join(own, "@mcp-codegen"), { recursive: true });
  const link = (name: string, target = join(ours, name)) => symlinkSync(target, join(own, name));
  for (const name of readdirSync(ours)) if (name !== "@mcp-codegen") link(name);
  for (const name of readdirSync(join(ours, "@mcp-codegen")))
    if (name !== "universal") link(`@mcp-codegen/${name}`);
  for (const name of [ID, "universal"]) link(`@mcp-codegen/${name}`, join(folder, "out", name));
}

function bundledInputs(diagnostics: Diagnostics) {
  return bundledRevisions().map(({ revision, schema, facts }) => {
    const known = facts && readFacts(readFileSync(facts, "utf8"), facts, diagnostics);
    return { source: load(schema, diagnostics)!, revision, ...(known && { facts: known }) };
  });
}

const bundled = new Map<string, Protocol>();

/** Links the bundled revisions once for all inventions, and an invented revision once for both of its packages. */
function linkOnce(): LinkInput {
  let own: Protocol | undefined;
  return (input, diagnostics) => {
    const { revision } = input;
    if (revision === ID) return (own ??= linkInput(input, diagnostics));
    const known = bundled.get(revision) ?? linkInput(input, new Diagnostics());
    if (known) bundled.set(revision, known);
    return known;
  };
}
