import type { Command } from "../command.js";

export const list: Command = {
  name: "list",
  description: "List the bundled revisions and extensions",
  options: {},
  examples: [["$0 list --json", "for scripts"]],
  json:
    "revisions: [{ revision, title, released, schema, official: { url, sha256, api, wire } }],\n" +
    "extensions: [{ name, id, extends, title, released, schema, official? }]",
  async run(_values, { diagnostics }) {
    const { runList } = await import("../run/list.js");
    return runList(diagnostics);
  },
};
