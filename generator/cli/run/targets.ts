import { join, normalize } from "node:path";
import { type BundledRevision, bundledRevision, bundledRevisions } from "../../bundled/bundled.js";
import type { Config, ExtensionConfig } from "../../config/config.js";
import { fromConfig, loadConfig } from "../../config/load-config.js";
import type { Diagnostic, Diagnostics } from "../../diagnostics.js";
import type { OutputFolder } from "../../output/inventory.js";
import type { Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import { problemOfRevision, unknownRevision } from "../revision-source.js";
import { type Invocation, optionWords } from "../../plan/command-line.js";
import { inCommand } from "../read-input.js";
import { extensionTarget } from "./extension-targets.js";
import type { ExtensionTarget, Request, Target } from "./request.js";

type Selection = Pick<
  Config,
  "revisions" | "all" | "universal" | "schema" | "facts" | "extensions"
>;

export const UNIVERSAL = "universal";

/** The commands to suggest if neither the command line nor a configuration selects anything. */
const FIRST_STEPS = `mcp-codegen new notes --template stdio-server  a server and its tests
mcp-codegen list                               revisions to generate
mcp-codegen --help                             all commands`;
const NOTHING: Diagnostic = {
  ...usageError(
    "Nothing to generate.",
    "Use --revision <id>, --all, or --schema <file>, or begin with one of these:",
  ),
  example: FIRST_STEPS,
};

/**
 * Combines the command-line options with the configuration. Options that select schemas replace the configuration's
 * entire selection.
 */
export async function resolveRequest(
  values: Values,
  diagnostics: Diagnostics,
): Promise<Request | undefined> {
  const loaded = await loadConfig(values.text("config"), diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const config = loaded && {
    ...loaded.config,
    ...paths(loaded.config, (path) => fromConfig(loaded, path)),
  };
  const options = optionsOf(values);
  const selection = options ?? config ?? {};
  const out = values.text("out") ?? config?.out;
  const runtime = values.text("runtime") ?? config?.runtime;
  const modulesOnly = values.flag("modules-only") || config?.modulesOnly === true;
  const inputs = inputsOf(selection, diagnostics);
  const words = options ? undefined : configWords(values);
  const common = [...optionWords("runtime", runtime), ...(modulesOnly ? ["--modules-only"] : [])];
  const extensions = extensionTargets(selection, out, diagnostics).map((target) => ({
    ...target,
    ...(words && { invocation: { words } }),
  }));
  if (inputs === undefined || diagnostics.hasErrors) return undefined;
  const hasUniversal = selection.all === true || selection.universal === true;
  const isSeveral = hasUniversal || inputs.length + extensions.length > 1;
  const invocation = (selected: OutputFolder["path"], usual: string, facts?: string): Invocation =>
    words
      ? { words }
      : {
          ...(selection.schema !== undefined && { schema: inCommand(selection.schema) }),
          options: [
            ...optionWords("facts", facts === undefined ? undefined : inCommand(facts)),
            ...(selected === usual ? [] : optionWords("out", inCommand(selected))),
            ...common,
          ],
        };
  const statedFacts = (schema: string) =>
    schema === selection.schema ? selection.facts : undefined;
  const targets = inputs.map((input) => {
    const { revision, schema } = input;
    const folder = folderOf(revision, out, isSeveral);
    const usual = join("generated", revision);
    return { ...input, folder, invocation: invocation(folder.path, usual, statedFacts(schema)) };
  });
  const universal = hasUniversal
    ? {
        folder: folderOf(UNIVERSAL, out, true),
        invocation: invocation(folderOf("", out, false).path, "generated", selection.facts),
      }
    : undefined;
  if (isFolderShared([...targets, ...extensions], universal?.folder, diagnostics)) return undefined;
  return {
    targets,
    ...(universal && { universal }),
    ...(extensions.length > 0 && { extensions }),
    ...(runtime !== undefined && { runtime }),
    ...(modulesOnly && { modulesOnly }),
    ...(loaded && { config: loaded.file }),
  };
}

/** Returns the arguments of the command line that repeats a generation with a configuration. */
function configWords(values: Values): readonly string[] {
  const file = values.text("config");
  const out = values.text("out");
  return [
    ...optionWords("config", file === undefined ? undefined : inCommand(file)),
    ...optionWords("out", out === undefined ? undefined : inCommand(out)),
    ...optionWords("runtime", values.text("runtime")),
    ...(values.flag("modules-only") ? ["--modules-only"] : []),
  ];
}

function paths(config: Config, from: (path: string) => string): Config {
  const { schema, facts, out, extensions } = config;
  return {
    ...(extensions && { extensions: extensions.map((each) => extensionPaths(each, from)) }),
    ...(schema !== undefined && { schema: from(schema) }),
    ...(facts !== undefined && { facts: from(facts) }),
    ...(out !== undefined && { out: from(out) }),
  };
}

function extensionPaths(
  extension: ExtensionConfig,
  from: (path: string) => string,
): ExtensionConfig {
  const { schema, facts, out, revision } = extension;
  const isFile = revision !== undefined && bundledRevision(revision) === undefined;
  return {
    ...extension,
    schema: from(schema),
    ...(facts !== undefined && { facts: from(facts) }),
    ...(out !== undefined && { out: from(out) }),
    ...(isFile && { revision: from(revision) }),
  };
}

/**
 * Reports two packages that share a folder, because each would remove the other's files. Returns true if there are such
 * packages.
 */
function isFolderShared(
  targets: readonly Pick<Target, "folder">[],
  universal: OutputFolder | undefined,
  diagnostics: Diagnostics,
): boolean {
  const folders = targets.map(({ folder }) => folder.path);
  if (universal) folders.push(universal.path);
  const shared = folders.find((path, index) => folders.indexOf(path) !== index);
  if (shared === undefined) return false;
  diagnostics.add(
    usageError(
      `Two packages would be generated into ${shared}.`,
      "Choose another `out` for one of them.",
    ),
  );
  return true;
}

function extensionTargets(
  { extensions = [] }: Selection,
  out = "generated",
  diagnostics: Diagnostics,
): readonly ExtensionTarget[] {
  return extensions.flatMap((each) => extensionTarget(each, out, diagnostics) ?? []);
}

function optionsOf(values: Values): Selection | undefined {
  const revisions = values.list("revision");
  const all = values.flag("all");
  const universal = values.flag("universal");
  const schema = values.text("schema");
  const facts = values.text("facts");
  if (revisions.length === 0 && !all && !universal && schema === undefined && facts === undefined)
    return undefined;
  return {
    revisions,
    all,
    universal,
    ...(schema !== undefined && { schema }),
    ...(facts !== undefined && { facts }),
  };
}

type Input = Omit<Target, "folder" | "invocation">;

function inputsOf(selection: Selection, diagnostics: Diagnostics): readonly Input[] | undefined {
  const { revisions = [], all = false, schema, facts } = selection;
  const contradiction = contradictionIn(selection);
  if (contradiction) {
    diagnostics.add(contradiction);
    return undefined;
  }
  if (all) return bundledRevisions();
  if (schema === undefined) return bundledInputs(revisions, diagnostics);
  const revision = revisions.at(-1)!;
  const known = facts ?? bundledRevision(revision)?.facts;
  const own = { revision, schema, ...(known !== undefined && { facts: known }) };
  const order = "The last revision names the --schema; those before it must be bundled.";
  const others = bundledInputs(revisions.slice(0, -1), diagnostics, order);
  return others && [...others, own];
}

function bundledInputs(
  revisions: readonly string[],
  diagnostics: Diagnostics,
  otherwise?: string,
): readonly BundledRevision[] | undefined {
  const found = revisions.map((revision): BundledRevision | undefined => {
    const bundled = bundledRevision(revision);
    if (!bundled) diagnostics.add(unknownRevision(revision, otherwise));
    return bundled;
  });
  return found.every((bundled) => bundled !== undefined) ? found : undefined;
}

function contradictionIn(selection: Selection): Diagnostic | undefined {
  const { revisions = [], all = false, universal = false, schema, facts } = selection;
  const hasNothing = !all && revisions.length === 0 && !selection.extensions?.length;
  if (all && revisions.length > 0) {
    return usageError("--all and --revision cannot be combined.", "Leave one of them out.");
  }
  if (all && schema !== undefined) {
    return usageError("--all and --schema cannot be combined.", "Leave one of them out.");
  }
  if (facts !== undefined && schema === undefined) {
    return usageError("--facts needs --schema.", "Bundled revisions have their own facts.");
  }
  if (schema === undefined) return hasNothing ? NOTHING : undefined;
  if (universal ? revisions.length === 0 : revisions.length !== 1) {
    return usageError(
      `--schema needs ${universal ? "a" : "exactly one"} --revision.`,
      "It names the schema, for example: --schema schema.ts --revision draft",
    );
  }
  const revision = revisions.at(-1)!;
  const isTaken = universal && revision === UNIVERSAL;
  const problem = isTaken
    ? "that is the name of the package for all of them"
    : problemOfRevision(revision);
  return problem === undefined
    ? undefined
    : usageError(
        `${JSON.stringify(revision)} cannot be a revision: ${problem}.`,
        "For example: draft",
      );
}

function folderOf(revision: string, out: string | undefined, isSeveral: boolean): OutputFolder {
  const root = normalize(out ?? "generated").replace(/(?<=.)[\\/]$/, "");
  const isNested = isSeveral || out === undefined;
  return { root, path: isNested ? join(root, revision) : root };
}
