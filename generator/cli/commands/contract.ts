import type { Command } from "../command.js";

/** Classes of change between two contracts. */
export const contractDiff: Command = {
  name: "contract diff",
  parameters: "<old> <new>",
  description: "Show what changed between two lock files, and whom it breaks",
  positionals: {
    old: { type: "string", description: "Lock file as it was" },
    new: { type: "string", description: "Lock file as it is" },
  },
  options: {
    "fail-on": {
      type: "string",
      value: "class",
      choices: ["breaking", "dangerous", "prose", "any"],
      description: "The least change for which the exit code is 1",
      default: "prose",
      requiresArg: true,
    },
    sarif: { type: "boolean", description: "As SARIF 2.1.0, for code hosts" },
  },
  examples: [
    ["$0 contract diff old.lock.json mcp.lock.json", ""],
    ["$0 contract diff old.lock.json mcp.lock.json --fail-on breaking", "texts may change"],
    ["$0 contract diff old.lock.json mcp.lock.json --sarif > changes.sarif", ""],
  ],
  epilogue: [
    "breaking: a program that was right before may fail. dangerous: hints, pages and hidden characters that a host relies on.",
    "prose: texts that a model reads. additive: all the rest. What cannot be compared counts as breaking, and says so.",
  ].join("\n"),
  json: "changes: [{ class, server, list, name, pointer, message, undecided? }]",
  async run(values, context) {
    const { runContractDiff } = await import("../contract/run-diff.js");
    return runContractDiff(values, context);
  },
};
