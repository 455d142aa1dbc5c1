import { join, normalize } from "node:path";
import { type BundledRevision, bundledRevision, bundledRevisions } from "../../bundled/bundled.js";
import type { Config } from "../../config/config.js";
import { fromConfig, loadConfig } from "../../config/load-config.js";
import type { Diagnostics } from "../../diagnostics.js";
import type { OutputFolder } from "../../output/inventory.js";
import type { Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import { problemOfRevision } from "../revision-id.js";
import { unknownRevision } from "../revision-source.js";

/** One revision to generate, and where to. */
export interface Target {
  readonly revision: string;
  readonly schema: string;
  readonly facts?: string;
  readonly folder: OutputFolder;
}

/** What a command line and its configuration ask for. */
export interface Request {
  readonly targets: readonly Target[];
  /** Module specifier, where it is not the usual one. */
  readonly runtime?: string;
  /** Configuration file in force. */
  readonly config?: string;
}

/** What to generate, from the options or else from the configuration. */
type Selection = Pick<Config, "revisions" | "all" | "schema" | "facts">;

const NOTHING = "Nothing to generate.";
const HOW =
  'Give --revision <id>, --all, or --schema <file>; "mcp-codegen list" shows the revisions.';

/** Combines options and configuration; options win. Undefined when they contradict each other. */
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
  const given = optionsOf(values);
  const selection = given ?? config ?? {};
  const out = values.text("out") ?? config?.out;
  const runtime = values.text("runtime") ?? config?.runtime;
  const inputs = inputsOf(selection, diagnostics);
  if (inputs === undefined) return undefined;
  const isSeveral = selection.all === true || inputs.length > 1;
  return {
    targets: inputs.map((input) => ({
      ...input,
      folder: folderOf(input.revision, out, isSeveral),
    })),
    ...(runtime !== undefined && { runtime }),
    ...(loaded && { config: loaded.file }),
  };
}

function paths(config: Config, from: (path: string) => string): Config {
  const { schema, facts, out } = config;
  return {
    ...(schema !== undefined && { schema: from(schema) }),
    ...(facts !== undefined && { facts: from(facts) }),
    ...(out !== undefined && { out: from(out) }),
  };
}

function optionsOf(values: Values): Selection | undefined {
  const revisions = values.list("revision");
  const all = values.flag("all");
  const schema = values.text("schema");
  const facts = values.text("facts");
  if (revisions.length === 0 && !all && schema === undefined && facts === undefined)
    return undefined;
  return {
    revisions,
    all,
    ...(schema !== undefined && { schema }),
    ...(facts !== undefined && { facts }),
  };
}

type Input = Omit<Target, "folder">;

function inputsOf(selection: Selection, diagnostics: Diagnostics): readonly Input[] | undefined {
  const { revisions = [], all = false, schema, facts } = selection;
  const contradiction = contradictionIn(selection);
  if (contradiction) {
    diagnostics.add(usageError(...contradiction));
    return undefined;
  }
  if (schema !== undefined) {
    const revision = revisions[0]!;
    const known = facts ?? bundledRevision(revision)?.facts;
    return [{ revision, schema, ...(known !== undefined && { facts: known }) }];
  }
  if (all) return bundledRevisions();
  const found = revisions.map((revision): BundledRevision | undefined => {
    const bundled = bundledRevision(revision);
    if (!bundled) diagnostics.add(unknownRevision(revision));
    return bundled;
  });
  return found.every((bundled) => bundled !== undefined) ? found : undefined;
}

function contradictionIn(selection: Selection): [message: string, hint: string] | undefined {
  const { revisions = [], all = false, schema, facts } = selection;
  if (all && revisions.length > 0) {
    return ["--all and --revision exclude each other.", "Leave one of them out."];
  }
  if (all && schema !== undefined) {
    return ["--all and --schema exclude each other.", "Leave one of them out."];
  }
  if (facts !== undefined && schema === undefined) {
    return ["--facts needs --schema.", "Bundled revisions have their own facts."];
  }
  if (schema === undefined) return !all && revisions.length === 0 ? [NOTHING, HOW] : undefined;
  if (revisions.length !== 1) {
    return [
      "--schema needs exactly one --revision.",
      "It says what the schema is called, for example: --schema schema.ts --revision draft",
    ];
  }
  const problem = problemOfRevision(revisions[0]!);
  return problem === undefined
    ? undefined
    : [`${JSON.stringify(revisions[0])} cannot be a revision: ${problem}.`, "For example: draft"];
}

function folderOf(revision: string, out: string | undefined, isSeveral: boolean): OutputFolder {
  const root = normalize(out ?? "generated").replace(/(?<=.)[\\/]$/, "");
  const isNested = isSeveral || out === undefined;
  return { root, path: isNested ? join(root, revision) : root };
}
