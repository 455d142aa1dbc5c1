import {
  bundledExtension,
  bundledExtensions,
  bundledRevision,
  bundledRevisions,
} from "../../bundled/bundled.js";
import type { Diagnostics } from "../../diagnostics.js";
import type { OfficialSource } from "../../link/facts.js";
import type { Context, Values } from "../command.js";
import type { Outcome } from "../outcome.js";
import { readFactsFile } from "../read-input.js";
import { asExtension, type Digests, readFrom } from "../read-protocol.js";
import { extensionSource, protocolSource, unknownRevision } from "../revision-source.js";
import { alignRows } from "../text.js";

interface OfficialRecord {
  readonly revision: string;
  readonly official: OfficialSource;
}

const NAMES = ["api", "wire", "sha256"] as const;

export function runFingerprint(values: Values, { diagnostics }: Context): Outcome | undefined {
  const compared = values.text("revision");
  const extension = compared === undefined ? undefined : bundledExtension(compared);
  if (compared !== undefined && !bundledRevision(compared) && !extension) {
    diagnostics.add(unknownRevision(compared));
    return undefined;
  }
  const own = protocolSource(values.text("schema") ?? "", values.text("facts"), diagnostics);
  const source = own && extension ? asExtension(own, extensionSource(extension)) : own;
  const read = source && readFrom(source, diagnostics);
  if (read === undefined) return undefined;
  const { from, digests } = read;
  const records = recordsOfOfficial(diagnostics);
  const record =
    records.find(({ revision }) => revision === (extension?.id ?? compared ?? from.revision)) ??
    (compared === undefined
      ? records.find(({ official }) => official.wire === digests.wire)
      : undefined);
  const equal = record && compare(digests, record.official);
  return {
    data: {
      schema: from.schema,
      ...digests,
      revision: record?.revision,
      official: record?.official,
      equal,
    },
    lines: alignRows(
      NAMES.map((name) => [name, digests[name], verdict(name, equal, isBundled(values))]),
    ),
    drift: compared !== undefined && equal !== undefined && !(equal.api && equal.wire),
    summary: record
      ? `Compared with the official file of ${record.revision}, ${record.official.url}`
      : "No official file is recorded to compare it with.",
  };
}

function compare(digests: Digests, official: OfficialSource): Equality {
  return {
    sha256: digests.sha256 === official.sha256,
    api: digests.api === official.api,
    wire: digests.wire === official.wire,
  };
}

function isBundled(values: Values): boolean {
  const schema = values.text("schema") ?? "";
  return (bundledRevision(schema) ?? bundledExtension(schema)) !== undefined;
}

type Equality = Readonly<Record<(typeof NAMES)[number], boolean>>;

function verdict(
  name: keyof Equality,
  equal: Equality | undefined,
  isRestatement: boolean,
): string {
  if (equal === undefined) return "";
  if (equal[name]) return "equal";
  if (name !== "sha256" || !equal.api || !equal.wire) return "different";
  return isRestatement
    ? "different, as expected: the bundled file restates the official one"
    : "different only in comments and layout";
}

function recordsOfOfficial(diagnostics: Diagnostics): readonly OfficialRecord[] {
  const extensions = bundledExtensions().map(({ id, facts }) => ({ revision: id, facts }));
  return [...bundledRevisions(), ...extensions].flatMap(({ revision, facts: file }) => {
    const official = file === undefined ? undefined : readFactsFile(file, diagnostics)?.official;
    return official ? [{ revision, official }] : [];
  });
}
