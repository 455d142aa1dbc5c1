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
        "Facts for <to>, if it is the path of a schema.ts (default: those of the bundled revision of that name, or of the revision before it)",
      requiresArg: true,
    },
    "from-facts": {
      type: "string",
      value: "file",
      description: "The same for <from>",
      requiresArg: true,
    },
    "fail-on": {
      type: "string",
      value: "class",
      choices: ["breaking", "dangerous", "prose", "any"],
      description: "Lowest class of change that causes exit code 1 (default: none)",
      requiresArg: true,
    },
    side: {
      type: "string",
      value: "side",
      choices: ["client", "server"],
      description: "Only changes by class that this side has to adapt to",
      requiresArg: true,
    },
    markdown: {
      type: "boolean",
      description: "Print Markdown, for release notes and pull requests",
    },
  },
  examples: [
    ["$0 diff 2025-06-18 2025-11-25", "between two bundled revisions"],
    ["$0 diff 2025-11-25 ./schema.ts --markdown", "from a bundled one to a file"],
    ["$0 diff 2026-07-28 schema/draft/schema.ts --facts schema/draft/facts.json", "with its facts"],
    [
      "$0 diff 2025-11-25 ./schema.ts --side server --fail-on breaking",
      "what servers have to adapt to",
    ],
  ],
  epilogue: [
    "breaking: a side that conforms to the older revision may fail, and has to change. prose: deprecated. additive: everything else.",
    "A wider range of values concerns the side that receives them, a narrower one the side that sends them.",
  ].join("\n"),
  json: "diff: { from, to, traits, conventions, constants, methods, types, heritage, members, deprecated }, inherited?: [facts of a side without its own], changes: [{ class, sides, name, pointer, message, undecided? }]",
  async run(values, context) {
    const { runDiff } = await import("../run/diff.js");
    return runDiff(values, context);
  },
};
