import {
  type BundledRevision,
  bundledRevisions,
  isBundledSchema,
  packageVersion,
} from "./bundled/bundled.js";
import { Diagnostics } from "./diagnostics.js";
import { emit } from "./emit/emit.js";
import { format } from "./format/format.js";
import type { Facts } from "./link/facts.js";
import { inheritFacts, isRevisionOf } from "./link/inherit-facts.js";
import { link } from "./link/link.js";
import type { Protocol } from "./link/protocol.js";
import { readFacts } from "./link/read-facts.js";
import { MAX_BYTES } from "./load/limits.js";
import { load } from "./load/load.js";
import { readText } from "./load/read-bytes.js";
import type { Source } from "./load/source.js";
import { model } from "./model/model.js";
import type { ImportableModels } from "./model/resolve-imports.js";
import type { SchemaModel } from "./model/schema-model.js";
import type { Invocation } from "./plan/command-line.js";
import type { OutputFile } from "./plan/file-plan.js";
import { plan } from "./plan/plan.js";
import { RUNTIME } from "./plan/runtime-imports.js";

export interface GenerateInput {
  readonly source: Source;
  /** The revision's id, such as `2025-03-26`. Schemas do not contain it. */
  readonly revision: string;
  /**
   * The facts that the schema does not state. If neither these nor `imports` are passed, a revision of the Model
   * Context Protocol inherits the facts of the newest bundled revision up to its own date, or of the newest one if its
   * id is not a date. Pass `{ revision }` to inherit none.
   */
  readonly facts?: Facts;
  /** The schemas from which this one may import, by module specifier as written. */
  readonly imports?: ImportableModels;
  /** The module that the generated code imports. Default: `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /** True if the package is installed from archives in its own `vendor` folder. Default: false. */
  readonly isVendored?: boolean;
  /** The command line to show in the headers. Default: one derived from the other properties. */
  readonly invocation?: Invocation;
}

/** Models and links a revision, or returns a protocol that was linked earlier. */
export type LinkInput = (input: GenerateInput, diagnostics: Diagnostics) => Protocol | undefined;

export const linkInput: LinkInput = ({ source, revision, facts, imports }, diagnostics) => {
  const schema = model(source, diagnostics, imports && { imports });
  if (diagnostics.hasErrors) return undefined;
  const earlier = facts || imports ? undefined : factsInForce(revision, schema);
  if (!earlier) {
    if (!facts && !imports) warnOfNoFacts(revision, schema, diagnostics);
    return link(schema, { revision, ...(facts && { facts }) }, diagnostics);
  }
  const inherited = inheritFacts(schema, revision, earlier);
  const protocol = link(schema, { revision, facts: inherited.facts }, diagnostics);
  return protocol && { ...protocol, inherited };
};

/**
 * Returns the facts to inherit. An id that is not a date, such as `draft`, counts as newer than every bundled
 * revision.
 */
function factsInForce(revision: string, schema: SchemaModel): Facts | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(revision);
  const before = bundledRevisions().findLast((one) => !isDay || one.revision <= revision);
  if (before?.facts === undefined) return undefined;
  const problems = new Diagnostics();
  const source = load(before.schema, problems);
  const facts = readFacts(readText(before.facts, MAX_BYTES), before.facts, problems);
  if (!source || !facts || !isRevisionOf(schema, model(source, problems))) return undefined;
  const { origin: _, ...rows } = facts;
  return rows;
}

/** Warns of a schema that has no facts although it resembles a bundled revision that has some. */
function warnOfNoFacts(revision: string, schema: SchemaModel, diagnostics: Diagnostics): void {
  const similar = similarRevision(schema);
  if (similar?.facts === undefined) return;
  diagnostics.add({
    code: "MCG3075",
    severity: "warning",
    message: `The schema resembles ${similar.revision}, but has no facts and inherits none.`,
    hint: `Copy ${similar.facts}, change its \`revision\` to ${JSON.stringify(revision)}, and pass the copy with --facts; facts with nothing but the \`revision\` turn this warning off.`,
    file: schema.file,
  });
}

/** Finds the bundled revision whose declarations differ least from a schema that declares at least half of them. */
function similarRevision({ declarations }: SchemaModel): BundledRevision | undefined {
  const own = new Set(declarations.map(({ name }) => name));
  const candidates = bundledRevisions().map((bundled) => {
    const text = readText(bundled.schema, MAX_BYTES);
    const known = [...text.matchAll(/^export (?:interface|type|const) (\w+)/gm)];
    const shared = known.filter(([, name]) => own.has(name!)).length;
    return { bundled, shared, known: known.length };
  });
  const [nearest] = candidates
    .filter(({ shared, known }) => shared * 2 >= known)
    .toSorted((a, b) => a.known - 2 * a.shared - (b.known - 2 * b.shared));
  return nearest?.bundled;
}

/**
 * Generates all files of one revision's package. Returns undefined if the diagnostics contain an error.
 *
 * @param linked - links the input; a custom function can return a protocol that was linked earlier
 */
export async function generate(
  input: GenerateInput,
  diagnostics: Diagnostics,
  linked: LinkInput = linkInput,
): Promise<OutputFile[] | undefined> {
  const { source, revision, runtime = RUNTIME, invocation = {}, isVendored = false } = input;
  const protocol = linked(input, diagnostics);
  if (protocol === undefined || diagnostics.hasErrors) return undefined;
  const isOwnSchema = !isBundledSchema(revision, source.sha256);
  const options = {
    file: source.file,
    version: packageVersion(),
    runtime,
    isOwnSchema,
    isVendored,
    invocation,
  };
  const planned = plan(protocol, options, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  return format(emit(planned));
}
