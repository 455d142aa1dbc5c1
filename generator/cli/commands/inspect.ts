import type { Command } from "../command.js";
import { factsOption } from "./shared-options.js";

export const inspect: Command = {
  name: "inspect",
  parameters: "<revision> [name]",
  description: "Show the methods of a revision, or one type or method of it",
  positionals: {
    revision: {
      type: "string",
      completes: "revisions",
      describe: "Bundled revision or extension, or path of a schema.ts",
    },
    name: { type: "string", describe: "Type such as CallToolResult, or method such as tools/call" },
  },
  options: {
    facts: factsOption,
  },
  examples: [
    ["$0 inspect 2025-06-18", "every method: who sends it, parameters, result, capability"],
    ["$0 inspect 2025-06-18 tools/call", "one method"],
    ["$0 inspect 2025-06-18 Tool", "one type: its members, and who uses it"],
  ],
  json: "revision, and one of: source, traits, conventions, counts, methods: [method] | method | type | parameters",
  async run(values, context) {
    const { runInspect } = await import("../run/inspect.js");
    return runInspect(values, context);
  },
};
