import { packageVersion } from "./bundled/bundled.js";
import type { Diagnostics } from "./diagnostics.js";
import { emitExtension } from "./emit/extension/emit-extension.js";
import { format } from "./format/format.js";
import { type GenerateInput, linkInput } from "./generate.js";
import { linkExtension } from "./link-extension.js";
import type { Facts } from "./link/facts.js";
import type { Source } from "./load/source.js";
import type { Invocation } from "./plan/command-line.js";
import type { OutputFile } from "./plan/file-plan.js";
import { planExtension } from "./plan/plan-extension.js";
import { RUNTIME } from "./plan/runtime-imports.js";

export interface GenerateExtensionInput {
  readonly source: Source;
  /** Extension id, with a prefix that you own, such as `com.example/maps`. */
  readonly id: string;
  /**
   * Revision that the extension is based on. The extension's schema may import only from the schema of this revision.
   */
  readonly extended: Omit<GenerateInput, "runtime">;
  /** Facts that the schema does not state; their `revision` is the extension's id. */
  readonly facts?: Facts;
  /** Name of the extension, if it is bundled. */
  readonly bundled?: string;
  /** Module that the generated code imports. Default: `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /** True if the package is installed from archives in its own `vendor` folder. Default: false. */
  readonly isVendored?: boolean;
  /** Command line that the headers show. Default: one derived from the other members. */
  readonly invocation?: Invocation;
}

/** Generates all files of an extension's package; undefined if the diagnostics contain an error. */
export async function generateExtension(
  {
    source,
    id,
    extended: base,
    facts,
    bundled,
    runtime = RUNTIME,
    invocation = {},
    isVendored = false,
  }: GenerateExtensionInput,
  diagnostics: Diagnostics,
): Promise<OutputFile[] | undefined> {
  const extended = linkInput(base, diagnostics);
  if (extended === undefined || diagnostics.hasErrors) return undefined;
  const parts = { source, id, ...(facts && { facts }) };
  const lender = { protocol: extended, text: base.source.text };
  const protocol = linkExtension({ ...parts, extended: lender }, diagnostics);
  if (protocol === undefined) return undefined;
  const origin = facts?.origin && { facts: facts.origin.file };
  const plan = planExtension(
    protocol,
    {
      id,
      extended,
      file: source.file,
      version: packageVersion(),
      isVendored,
      runtime,
      invocation,
      ...origin,
      ...(bundled !== undefined && { bundled }),
    },
    diagnostics,
  );
  if (diagnostics.hasErrors) return undefined;
  return format(emitExtension(plan));
}
