import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  bundledExtension,
  type BundledExtension,
  bundledRevision,
  bundledRevisions,
  packageVersion,
} from "../../bundled/bundled.js";
import type { Diagnostics } from "../../diagnostics.js";
import type { Facts } from "../../link/facts.js";
import { sourceFromBytes } from "../../load/source-from-bytes.js";
import { checkFolder } from "../../output/inventory.js";
import { download } from "../../pull/download.js";
import { officialUrl } from "../../pull/official-url.js";
import { place } from "../../pull/place.js";
import { type NewRecord, unrecordedFacts } from "../../pull/unrecorded-facts.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import { inheritedLines, inheritedToJson } from "../inherited-facts.js";
import type { Outcome } from "../outcome.js";
import { readFactsFile } from "../read-input.js";
import { problemOfRevision, unknownRevision } from "../revision-source.js";
import { showBytes } from "../text.js";
import { verifySchema } from "../verify-schema.js";

export async function runPull(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const revision = values.text("revision") ?? "";
  const acceptNew = values.flag("accept-new");
  const timeout = values.number("timeout")! * 1000;
  const extension = bundledExtension(revision);
  const facts = extension
    ? readFactsFile(extension.facts, diagnostics)
    : recordOf(revision, acceptNew, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const url =
    values.text("from") ?? facts?.official?.url ?? urlOf(revision, extension, diagnostics);
  if (url === undefined) return undefined;
  progress.step(`Downloading ${url}`);
  const userAgent = `mcp-codegen/${packageVersion()}`;
  const bytes = await download(url, { timeout, userAgent }, diagnostics);
  const source = bytes && sourceFromBytes(url, bytes, diagnostics);
  if (!source) return undefined;
  progress.step("Verifying");
  const verified = verifySchema(
    source,
    {
      acceptNew,
      revision: extension?.id ?? revision,
      ...(extension && { extends: extension.extends }),
      ...(facts && { facts }),
    },
    diagnostics,
  );
  const name = extension ? join("extensions", extension.name) : revision;
  const folder = { root: "schema", path: join("schema", name) };
  if (!verified || !checkFolder(folder, ["schema.ts", "facts.json"], diagnostics)) return undefined;
  const path = join(folder.path, "schema.ts");
  const status = place(path, bytes, values.flag("force"), diagnostics);
  if (!status) return undefined;
  const { sha256 } = source;
  const { protocol, ...proof } = verified;
  const record = { url, sha256, protocol };
  const beside = facts ? undefined : factsBeside(path, revision, record, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const options = beside === undefined ? "" : ` --facts ${beside}`;
  return {
    data: {
      revision: extension?.id ?? revision,
      url,
      path,
      ...(beside !== undefined && { facts: beside }),
      status,
      bytes: bytes.length,
      sha256,
      ...proof,
      ...(protocol?.inherited && { inherited: inheritedToJson(protocol.inherited) }),
    },
    lines: [
      [path, `  ${STATUS[status]}, ${showBytes(bytes.length)}, ${VERIFIED[proof.verified]}`],
      ...(beside !== undefined && protocol?.inherited
        ? [beside, ...inheritedLines(protocol.inherited)]
        : []),
    ],
    summary: `Generate from it with: mcp-codegen ${
      extension
        ? `extension ${path} --facts <facts> --id ${extension.id} --revision ${extension.extends}`
        : `--schema ${path}${options} --revision ${revision}`
    }`,
  };
}

/**
 * Returns the URL of the file for a revision without a recorded digest. For an extension, which has no such URL,
 * reports an error instead.
 */
function urlOf(
  revision: string,
  extension: BundledExtension | undefined,
  diagnostics: Diagnostics,
): string | undefined {
  if (!extension) return officialUrl(revision);
  diagnostics.add(
    usageError(
      `No schema of ${extension.id} is published.`,
      "Name the address of one with --from.",
    ),
  );
  return undefined;
}

/** Writes facts next to a schema that has no bundled facts. Existing facts are kept. */
function factsBeside(
  schema: string,
  revision: string,
  record: NewRecord,
  diagnostics: Diagnostics,
): string | undefined {
  const path = join(dirname(schema), "facts.json");
  if (existsSync(path)) return path;
  // In the repository, the schema that was just written also counts as a bundled revision, but it has no facts.
  const previous = bundledRevisions().findLast(({ facts }) => facts !== undefined)!;
  const known = readFactsFile(previous.facts!, diagnostics);
  const bytes = known && Buffer.from(unrecordedFacts(revision, known, record));
  if (bytes) place(path, bytes, false, diagnostics);
  return path;
}

const STATUS = { created: "written", replaced: "replaced", same: "already there" } as const;

const VERIFIED = {
  bytes: "the recorded file",
  wire: "with the recorded wire digest",
  accepted: "accepted without a record",
} as const;

/**
 * Returns a revision's facts. A revision without a recorded digest is rejected before anything is downloaded, unless it
 * may be accepted unverified.
 */
function recordOf(
  revision: string,
  acceptNew: boolean,
  diagnostics: Diagnostics,
): Facts | undefined {
  const problem = problemOfRevision(revision);
  if (problem !== undefined) {
    diagnostics.add(usageError(`${JSON.stringify(revision)} cannot be a revision: ${problem}.`));
    return undefined;
  }
  const file = bundledRevision(revision)?.facts;
  const facts = file === undefined ? undefined : readFactsFile(file, diagnostics);
  if (facts?.official === undefined && !acceptNew) {
    const { hint } = unknownRevision(revision, "Use --accept-new to accept it unverified.");
    diagnostics.add({
      code: "MCG0002",
      severity: "error",
      message: `No digest of revision "${revision}" is recorded, so a download could not be verified.`,
      ...(hint !== undefined && { hint }),
    });
  }
  return facts;
}
