import {
  bundledExtensions,
  bundledRevisions,
  isBundledSchema,
  packageVersion,
} from "./bundled/bundled.js";
import type { Diagnostics } from "./diagnostics.js";
import { emitUniversal } from "./emit/universal/emit-universal.js";
import { evolve } from "./evolve/evolve.js";
import { project } from "./evolve/project/project.js";
import { format } from "./format/format.js";
import { type GenerateInput, type LinkInput, linkInput } from "./generate.js";
import { linkExtension } from "./link-extension.js";
import type { Protocol } from "./link/protocol.js";
import { readFacts } from "./link/read-facts.js";
import { MAX_BYTES } from "./load/limits.js";
import { load } from "./load/load.js";
import { readText } from "./load/read-bytes.js";
import type { Invocation } from "./plan/command-line.js";
import type { OutputFile } from "./plan/file-plan.js";
import { type LinkedExtension, planUniversal } from "./plan/plan-universal.js";

/**
 * Generates all files of the package that serves several revisions with one set of handlers, written for the newest
 * revision. Returns undefined if `inputs` is empty or the diagnostics contain an error.
 *
 * @param inputs - the revisions, in any order; the newest is the one whose id sorts last
 * @param between - the revisions that are not served, but lie between revisions that are
 * @param linked - links an input; a custom function can return protocols that were linked earlier
 * @param invocation - the command line to show in the headers
 * @param isVendored - true if the package is installed from archives in its own `vendor` folder
 */
export async function generateUniversal(
  inputs: readonly GenerateInput[],
  diagnostics: Diagnostics,
  between: readonly GenerateInput[] = [],
  linked: LinkInput = linkInput,
  invocation: Invocation = {},
  isVendored = false,
): Promise<OutputFile[] | undefined> {
  const sorted = inputs.toSorted(byRevision);
  const all = [...sorted, ...between].toSorted(byRevision);
  const protocols = all.flatMap((input) => linked(input, diagnostics) ?? []);
  if (diagnostics.hasErrors || protocols.length === 0) return undefined;
  evolve(protocols, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const steps = project(protocols, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const revisions = sorted.map(({ revision }) => revision);
  const ownSchemas = sorted
    .filter(({ revision, source }) => !isBundledSchema(revision, source.sha256))
    .map(({ revision }) => revision);
  const bundled = bundledRevisions().map(({ revision }) => revision);
  const planned = planUniversal(
    {
      version: packageVersion(),
      isVendored,
      protocols: protocols.filter(({ revision }) => revisions.includes(revision)),
      newest: revisions.at(-1)!,
      allProtocols: protocols,
      steps,
      isAll: ownSchemas.length === 0 && revisions.join() === bundled.join(),
      ownSchemas,
      extensions: linkExtensions(sorted, protocols, ownSchemas, diagnostics),
      invocation,
    },
    diagnostics,
  );
  if (diagnostics.hasErrors) return undefined;
  return format(emitUniversal(planned));
}

function linkExtensions(
  inputs: readonly GenerateInput[],
  protocols: readonly Protocol[],
  ownSchemas: readonly string[],
  diagnostics: Diagnostics,
): LinkedExtension[] {
  return bundledExtensions().flatMap(({ name, id, extends: revision, schema, facts: file }) => {
    const input = inputs.find((one) => one.revision === revision);
    const extended = protocols.find((one) => one.revision === revision);
    if (!input || !extended || ownSchemas.includes(revision)) return [];
    const source = load(schema, diagnostics);
    const facts = readFacts(readText(file, MAX_BYTES), file, diagnostics);
    if (!source || !facts) return [];
    const lender = { protocol: extended, text: input.source.text };
    const protocol = linkExtension({ source, id, facts, extended: lender }, diagnostics);
    return protocol ? [{ bundled: name, protocol, extended, file: schema }] : [];
  });
}

function byRevision(a: GenerateInput, b: GenerateInput): number {
  return a.revision < b.revision ? -1 : 1;
}
