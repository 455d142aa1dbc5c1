import { CHANGE_CLASSES, type ChangeClass, type ContractChange, entryText } from "./change.js";

const LEVELS: Readonly<Record<ChangeClass, string>> = {
  breaking: "error",
  dangerous: "error",
  prose: "warning",
  additive: "note",
};

const MEANINGS: Readonly<Record<ChangeClass, string>> = {
  breaking: "A program that worked before may fail.",
  dangerous: "A hint that a host relies on to protect the user has changed.",
  prose: "A text that a model or a user reads has changed.",
  additive: "Programs that worked before still work.",
};

/** Converts changes to a SARIF 2.1.0 log, whose locations refer to the new lock file. */
export function sarifOf(
  changes: readonly ContractChange[],
  file: string,
  version: string,
): Readonly<Record<string, unknown>> {
  const rules = CHANGE_CLASSES.map((id) => ({ id, shortDescription: { text: MEANINGS[id] } }));
  const results = changes.map((change) => {
    const { server, list, name, pointer, message } = change;
    const entry = entryText({ list, name });
    return {
      ruleId: change.class,
      level: LEVELS[change.class],
      message: { text: `${server}: ${entry}${pointer === "" ? "" : ` ${pointer}`}: ${message}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file) },
            region: { startLine: 1 },
          },
          logicalLocations: [{ fullyQualifiedName: `${server}/${list}/${name}${pointer}` }],
        },
      ],
      partialFingerprints: { "change/v1": `${server}/${list}/${name}${pointer}/${change.class}` },
    };
  });
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "mcp-codegen", version, rules } }, results }],
  };
}

function uriOf(path: string): string {
  return path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
}
