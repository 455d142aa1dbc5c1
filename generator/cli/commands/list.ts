import type { Command } from "../command.js";

export const list: Command = {
  name: "list",
  description: "List the bundled revisions",
  options: {},
  examples: [["$0 list --json", "for scripts"]],
  json: "revisions: [{ revision, title, released, schema, official: { url, sha256, api, wire } }]",
  async run(_values, { diagnostics }) {
    const { runList } = await import("../run-list.js");
    return runList(diagnostics);
  },
};
