import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript-5.9";
import { Diagnostics } from "../../generator/diagnostics.js";
import { emitValidators } from "../../generator/emit/validators.js";
import type { Protocol } from "../../generator/link/protocol.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { plan } from "../../generator/plan/plan.js";
import type { explain as Explain } from "../../runtime/wire/validation/explain.js";
import type { Issue, Shapes, Validator } from "../../runtime/wire/validation/validator.js";

export type Validators = Readonly<Record<string, Validator>>;

const runtime = fileURLToPath(new URL("../../runtime/wire/", import.meta.url));

/** Modules of the runtime that validators need, so that a child process can run them without a build. */
const RUNTIME_FILES = [
  "messages/jsonrpc",
  "validation/explain",
  "validation/issues",
  "validation/shape",
  "validation/tests",
  "validation/validator",
];

/** validators.ts of a protocol, as it is before formatting. */
export function validatorsText(protocol: Protocol): string {
  return validatorsFiles(protocol)[0]!.text;
}

/** shapes.ts of a protocol, as it is before formatting. */
export function shapesText(protocol: Protocol): string {
  return validatorsFiles(protocol)[1]!.text;
}

function validatorsFiles(protocol: Protocol, from?: string): OutputFile[] {
  const diagnostics = new Diagnostics();
  const options = {
    file: "schema.ts",
    version: "0.0.0",
    runtime: from ?? "@mcp-codegen/runtime/codegen",
  };
  const planned = plan(protocol, options, diagnostics);
  if (diagnostics.hasErrors) throw new Error(JSON.stringify(diagnostics.items));
  return emitValidators(planned);
}

/** Writes validators and their part of the runtime as JavaScript, for as long as `use` needs the module. */
export async function withValidatorsFile<T>(
  protocol: Protocol,
  use: (path: string) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-codegen-validators-"));
  try {
    return await use(writeValidators(protocol, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeValidators(protocol: Protocol, folder: string): string {
  for (const part of ["messages", "validation"])
    mkdirSync(join(folder, "runtime", part), { recursive: true });
  for (const name of RUNTIME_FILES) {
    const text = readFileSync(`${runtime}${name}.ts`, "utf8");
    writeFileSync(join(folder, "runtime", `${name}.js`), javaScript(text));
  }
  const index = RUNTIME_FILES.map((name) => `export * from "./${name}.js";\n`).join("");
  writeFileSync(join(folder, "runtime", "index.js"), index);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const { path, text } of validatorsFiles(protocol, "./runtime/index.js")) {
    writeFileSync(join(folder, path.replace(/ts$/, "js")), javaScript(text));
  }
  return join(folder, "validators.js");
}

/** Validators, and what `explain` says without asking them. */
interface Built {
  readonly validators: Validators;
  readonly explain: (type: string, value: unknown) => readonly Issue[];
}

const built = new Map<Protocol, Promise<Built>>();

/** The validators of a protocol, made of what the sources say now. */
export async function validatorsOf(protocol: Protocol): Promise<Validators> {
  return (await builtOf(protocol)).validators;
}

/** The issues of a value by the description of its type alone. */
export async function explainerOf(protocol: Protocol): Promise<Built["explain"]> {
  return (await builtOf(protocol)).explain;
}

function builtOf(protocol: Protocol): Promise<Built> {
  const known = built.get(protocol);
  if (known) return known;
  const made = withValidatorsFile(protocol, async (path): Promise<Built> => {
    const { href } = pathToFileURL(path);
    const load = (file: string): Promise<unknown> =>
      import(/* @vite-ignore */ new URL(file, href).href);
    const validators = (await load("validators.js")) as Validators;
    const tables = (await load("shapes.js")) as { shapes: Shapes; messageShapes?: Shapes };
    const shapes = tables.messageShapes ?? tables.shapes;
    const { explain } = (await load("runtime/validation/explain.js")) as {
      explain: typeof Explain;
    };
    return {
      validators,
      explain(type, value) {
        const trace: Issue[] = [];
        explain(shapes, type, value, trace);
        return trace;
      },
    };
  });
  built.set(protocol, made);
  return made;
}

function javaScript(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}
