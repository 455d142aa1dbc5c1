import { isBundledSchema, packageVersion } from "./bundled/bundled.js";
import type { Diagnostics } from "./diagnostics.js";
import { emit } from "./emit/emit.js";
import { format } from "./format/format.js";
import type { Facts } from "./link/facts.js";
import { link } from "./link/link.js";
import type { Protocol } from "./link/protocol.js";
import type { Source } from "./load/source.js";
import { model } from "./model/model.js";
import type { ImportableModels } from "./model/resolve-imports.js";
import type { Invocation } from "./plan/command-line.js";
import type { OutputFile } from "./plan/file-plan.js";
import { plan } from "./plan/plan.js";
import { RUNTIME } from "./plan/runtime-imports.js";

export interface GenerateInput {
  readonly source: Source;
  /** Id of the revision, such as `2025-03-26`; a file does not say it. */
  readonly revision: string;
  /** Facts that the schema does not state. */
  readonly facts?: Facts;
  /** The schemas that this one may import from, by module specifier as written. */
  readonly imports?: ImportableModels;
  /** Module that the generated code imports; default `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /** Command line that asks for it, for the headers; default: one with what else is said here. */
  readonly invocation?: Invocation;
}

/** Models and links a revision; undefined when a stage refused. */
export type LinkInput = (input: GenerateInput, diagnostics: Diagnostics) => Protocol | undefined;

export const linkInput: LinkInput = ({ source, revision, facts, imports }, diagnostics) => {
  const schema = model(source, diagnostics, imports && { imports });
  if (diagnostics.hasErrors) return undefined;
  return link(schema, { revision, ...(facts && { facts }) }, diagnostics);
};

/**
 * Generates all files of one revision's package; undefined when a stage refused, and the diagnostics say why.
 *
 * @param linked - links the input; another function than the usual one may have done so before
 */
export async function generate(
  input: GenerateInput,
  diagnostics: Diagnostics,
  linked: LinkInput = linkInput,
): Promise<OutputFile[] | undefined> {
  const { source, revision, runtime = RUNTIME, invocation = {} } = input;
  const protocol = linked(input, diagnostics);
  if (protocol === undefined || diagnostics.hasErrors) return undefined;
  const isOwnSchema = !isBundledSchema(revision, source.sha256);
  const options = {
    file: source.file,
    version: packageVersion(),
    runtime,
    isOwnSchema,
    invocation,
  };
  const planned = plan(protocol, options, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  return format(emit(planned));
}
