import type { Command } from "../command.js";

export const diff: Command = {
  name: "diff",
  parameters: "<from> <to>",
  description: "Show what changed between two revisions",
  positionals: {
    from: {
      type: "string",
      completes: "revisions",
      describe: "Bundled revision or extension, or path of a schema.ts",
    },
    to: {
      type: "string",
      completes: "revisions",
      describe: "Bundled revision or extension, or path of a schema.ts",
    },
  },
  options: {
    facts: {
      type: "string",
      value: "file",
      description:
        "Facts about <to>, the path of a schema.ts (default: those of the bundled revision of that name, or of the revision before it)",
      requiresArg: true,
    },
    "from-facts": {
      type: "string",
      value: "file",
      description: "The same about <from>",
      requiresArg: true,
    },
    "fail-on": {
      type: "string",
      value: "class",
      choices: ["breaking", "dangerous", "prose", "any"],
      description: "The least change for which the exit code is 1 (default: none)",
      requiresArg: true,
    },
    side: {
      type: "string",
      value: "side",
      choices: ["client", "server"],
      description: "Only changes by class that this side has to follow",
      requiresArg: true,
    },
    markdown: { type: "boolean", description: "As Markdown, for release notes and pull requests" },
  },
  examples: [
    ["$0 diff 2025-06-18 2025-11-25", "between two bundled revisions"],
    ["$0 diff 2025-11-25 ./schema.ts --markdown", "from a bundled one to a file"],
    ["$0 diff 2026-07-28 schema/draft/schema.ts --facts schema/draft/facts.json", "with its facts"],
    [
      "$0 diff 2025-11-25 ./schema.ts --side server --fail-on breaking",
      "what servers have to follow",
    ],
  ],
  epilogue: [
    "breaking: a side that was right in the older revision may fail, and has to change. prose: deprecated. additive: all the rest.",
    "A value that may be more than before concerns those who receive it, one that may be less those who send it.",
  ].join("\n"),
  json: "diff: { from, to, traits, conventions, constants, methods, types, heritage, members, deprecated }, inherited?: [facts of a side without its own], changes: [{ class, sides, name, pointer, message, undecided? }]",
  async run(values, context) {
    const { runDiff } = await import("../run/diff.js");
    return runDiff(values, context);
  },
};
