import { bundledRevisions, isBundledSchema, packageVersion } from "./bundled/bundled.js";
import type { Diagnostics } from "./diagnostics.js";
import { emitUniversal } from "./emit/universal/emit-universal.js";
import { evolve } from "./evolve/evolve.js";
import { project } from "./evolve/project/project.js";
import { format } from "./format/format.js";
import { type GenerateInput, type LinkInput, linkInput } from "./generate.js";
import type { Invocation } from "./plan/command-line.js";
import type { OutputFile } from "./plan/file-plan.js";
import { planUniversal } from "./plan/plan-universal.js";

/**
 * Generates all files of the package that serves several revisions with one set of handlers, written for the newest of them;
 * undefined when a stage refused, and the diagnostics say why.
 *
 * @param inputs - the revisions, in any order; the newest is the one whose id comes last
 * @param between - revisions that are not served, but lie between revisions that are
 * @param linked - links an input; another function than the usual one may have done so before
 * @param invocation - command line that asks for it, for the headers
 */
export async function generateUniversal(
  inputs: readonly GenerateInput[],
  diagnostics: Diagnostics,
  between: readonly GenerateInput[] = [],
  linked: LinkInput = linkInput,
  invocation: Invocation = {},
): Promise<OutputFile[] | undefined> {
  const sorted = inputs.toSorted(byRevision);
  const all = [...sorted, ...between].toSorted(byRevision);
  const protocols = all.flatMap((input) => linked(input, diagnostics) ?? []);
  if (diagnostics.hasErrors || protocols.length === 0) return undefined;
  evolve(protocols, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const steps = project(protocols, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const given = sorted.map(({ revision }) => revision);
  const ownSchemas = sorted
    .filter(({ revision, source }) => !isBundledSchema(revision, source.sha256))
    .map(({ revision }) => revision);
  const bundled = bundledRevisions().map(({ revision }) => revision);
  const planned = planUniversal(
    {
      version: packageVersion(),
      protocols: protocols.filter(({ revision }) => given.includes(revision)),
      newest: given.at(-1)!,
      allProtocols: protocols,
      steps,
      isAll: ownSchemas.length === 0 && given.join() === bundled.join(),
      ownSchemas,
      invocation,
    },
    diagnostics,
  );
  if (diagnostics.hasErrors) return undefined;
  return format(emitUniversal(planned));
}

function byRevision(a: GenerateInput, b: GenerateInput): number {
  return a.revision < b.revision ? -1 : 1;
}
