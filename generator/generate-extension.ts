import { packageVersion } from "./bundled/bundled.js";
import type { Diagnostics } from "./diagnostics.js";
import { emitExtension } from "./emit/extension/emit-extension.js";
import { format } from "./format/format.js";
import type { GenerateInput } from "./generate.js";
import type { Facts } from "./link/facts.js";
import { link } from "./link/link.js";
import type { Source } from "./load/source.js";
import { model } from "./model/model.js";
import type { Invocation } from "./plan/command-line.js";
import type { OutputFile } from "./plan/file-plan.js";
import { planExtension } from "./plan/plan-extension.js";
import { RUNTIME } from "./plan/runtime-imports.js";

export interface GenerateExtensionInput {
  readonly source: Source;
  /** Extension id, with a prefix that you own: `com.example/maps`. */
  readonly id: string;
  /** The revision that it extends; every import of the schema is from the schema of this one. */
  readonly extended: Omit<GenerateInput, "runtime">;
  /** Facts that the schema does not state; their `revision` is the id of the extension. */
  readonly facts?: Facts;
  /** Module that the generated code imports; default `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /** Command line that asks for it, for the headers; default: one with what else is said here. */
  readonly invocation?: Invocation;
}

/** All files of an extension's package; undefined when a stage refused, and the diagnostics say why. */
export async function generateExtension(
  { source, id, extended: base, facts, runtime = RUNTIME, invocation = {} }: GenerateExtensionInput,
  diagnostics: Diagnostics,
): Promise<OutputFile[] | undefined> {
  const { revision, imports } = base;
  const core = model(base.source, diagnostics, imports && { imports });
  if (diagnostics.hasErrors) return undefined;
  const extended = link(core, { revision, ...(base.facts && { facts: base.facts }) }, diagnostics);
  if (extended === undefined || diagnostics.hasErrors) return undefined;
  const importable = { ...core, declarations: extended.declarations };
  const extending = { imports: { get: () => importable }, texts: { get: () => base.source.text } };
  const schema = model(source, diagnostics, extending);
  if (diagnostics.hasErrors) return undefined;
  const options = { revision: id, extended, ...(facts && { facts }) };
  const protocol = link(schema, options, diagnostics);
  if (protocol === undefined || diagnostics.hasErrors) return undefined;
  const origin = facts?.origin && { facts: facts.origin.file };
  const parts = { id, extended, file: source.file, runtime, invocation, ...origin };
  const plan = planExtension(protocol, { ...parts, version: packageVersion() }, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  return format(emitExtension(plan));
}
