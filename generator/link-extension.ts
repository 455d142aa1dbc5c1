import type { Diagnostics } from "./diagnostics.js";
import type { Facts } from "./link/facts.js";
import { link } from "./link/link.js";
import type { Protocol } from "./link/protocol.js";
import type { Source } from "./load/source.js";
import { model } from "./model/model.js";

export interface LinkExtensionInput {
  readonly source: Source;
  /** The extension's id, such as `com.example/maps`. */
  readonly id: string;
  readonly facts?: Facts;
  /**
   * The revision on which the extension is based. The extension's schema may import only from this revision's schema.
   */
  readonly extended: { readonly protocol: Protocol; readonly text: string };
}

/** Models and links an extension. Returns undefined if the diagnostics contain an error. */
export function linkExtension(
  { source, id, facts, extended: { protocol: extended, text } }: LinkExtensionInput,
  diagnostics: Diagnostics,
): Protocol | undefined {
  const importable = { ...extended.source, declarations: extended.declarations };
  const extending = { imports: { get: () => importable }, texts: { get: () => text } };
  const schema = model(source, diagnostics, extending);
  if (diagnostics.hasErrors) return undefined;
  const options = { revision: id, extended, ...(facts && { facts }) };
  const protocol = link(schema, options, diagnostics);
  return diagnostics.hasErrors ? undefined : protocol;
}
