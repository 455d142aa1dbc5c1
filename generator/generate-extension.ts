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
  /** The extension's id, with a prefix that you own, such as `com.example/maps`. */
  readonly id: string;
  /**
   * The revision on which the extension is based. The extension's schema may import only from this revision's schema.
   */
  readonly extended: Omit<GenerateInput, "runtime">;
  /** The facts that the schema does not state. Their `revision` is the extension's id. */
  readonly facts?: Facts;
  /** The extension's name, if it is bundled. */
  readonly bundled?: string;
  /** The module that the generated code imports. Default: `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /** True if the package is installed from archives in its own `vendor` folder. Default: false. */
  readonly isVendored?: boolean;
  /** The command line to show in the headers. Default: one derived from the other properties. */
  readonly invocation?: Invocation;
}

/** Generates all files of an extension's package. Returns undefined if the diagnostics contain an error. */
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
