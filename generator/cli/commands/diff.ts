import type { Command } from "../command.js";

export const diff: Command = {
  name: "diff",
  parameters: "<from> <to>",
  description: "Show what changed between two revisions",
  positionals: {
    from: { type: "string", describe: "Bundled revision or extension, or path of a schema.ts" },
    to: { type: "string", describe: "Bundled revision or extension, or path of a schema.ts" },
  },
  options: {
    markdown: { type: "boolean", description: "As Markdown, for release notes and pull requests" },
  },
  examples: [
    ["$0 diff 2025-06-18 2025-11-25", "between two bundled revisions"],
    ["$0 diff 2025-11-25 ./schema.ts --markdown", "from a bundled one to a file"],
  ],
  json: "diff: { from, to, traits, conventions, constants, methods, types, heritage, members, deprecated }",
  async run(values, context) {
    const { runDiff } = await import("../run-diff.js");
    return runDiff(values, context);
  },
};
