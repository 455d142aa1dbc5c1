import { checkOf } from "../checks/index.js";
import { type Entry, sentenceOf } from "./entries.js";

const LEVELS = { error: "error", warning: "warning", hint: "note" } as const;

/** The tape file that contains the findings, or the name of what was examined. */
export type SarifSource = { readonly file: string } | { readonly name: string };

/**
 * Converts findings to a SARIF 2.1.0 log. The log's rules are the checks that have findings.
 *
 * @param gaps - the parts that are missing from the report, as sentences
 */
export function sarifOf(
  entries: readonly Entry[],
  source: SarifSource,
  version: string,
  gaps: readonly string[] = [],
): object {
  const ids = [...new Set(entries.map(({ id }) => id))].toSorted();
  const driver = {
    name: "mcp-codegen",
    version,
    informationUri: "https://github.com/mcp-codegen/mcp-codegen",
    rules: ids.map((id) => ruleOf(entries.find((one) => one.id === id)!)),
  };
  const results = entries.map((entry) => ({
    ruleId: entry.id,
    ruleIndex: ids.indexOf(entry.id),
    level: LEVELS[entry.severity],
    message: { text: sentenceOf(entry) },
    locations: [locationOf(entry, source)],
    partialFingerprints: { "finding/v1": `${entry.id}/${entry.from}${entry.pointer}` },
    properties: { revisions: entry.revisions, times: entry.times },
  }));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, invocations: [invocationOf(gaps)], results }],
  };
}

function invocationOf(gaps: readonly string[]): object {
  const notes = gaps.map((text) => ({ level: "warning", message: { text } }));
  return {
    executionSuccessful: gaps.length === 0,
    ...(notes.length > 0 && { toolExecutionNotifications: notes }),
  };
}

function ruleOf({ id, severity, requirement }: Entry): object {
  const { sentence = id, advice } = checkOf(id) ?? {};
  return {
    id,
    shortDescription: { text: sentence },
    ...(advice !== undefined && { help: { text: advice } }),
    ...(requirement !== undefined && { helpUri: requirement }),
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function locationOf({ place, line }: Entry, source: SarifSource): object {
  if ("name" in source) {
    const name = [source.name, place].filter(Boolean).join(" ");
    return { logicalLocations: [{ fullyQualifiedName: name }] };
  }
  const uri = source.file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: line ?? 1 } },
    logicalLocations: [{ fullyQualifiedName: place }],
  };
}
