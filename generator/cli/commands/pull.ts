import type { Command } from "../command.js";
import { seconds } from "./shared-options.js";

export const pull: Command = {
  name: "pull",
  parameters: "<revision>",
  description: "Download the official schema.ts of a revision into schema/<revision>/",
  positionals: {
    revision: {
      type: "string",
      completes: "revisions",
      describe: "Revision, such as 2025-03-26 or draft, or bundled extension",
    },
  },
  options: {
    from: {
      type: "string",
      value: "url",
      description: "Address of the file (default: where the specification publishes it)",
      requiresArg: true,
    },
    "accept-new": {
      type: "boolean",
      description: "Accept a file whose wire digest differs from the record, or has none",
    },
    force: { type: "boolean", description: "Replace a different file that is already there" },
    timeout: { ...seconds, description: "Time limit of the download", default: 30 },
  },
  examples: [
    ["$0 pull 2025-03-26", "verified against the recorded digest"],
    ["$0 pull tasks", "of an extension, into schema/extensions/tasks/"],
    ["$0 pull draft --accept-new", "a revision without a recorded digest"],
  ],
  epilogue:
    "The file is written only if it is a schema with the recorded wire digest. Only HTTPS is used (plain HTTP for\n" +
    "a loopback address), redirects to another host are refused, and so are files over 4 MiB.\n" +
    "A revision without bundled facts gets a facts.json: its digests, and the facts of the revision before that apply to it.",
  json: "revision, url, path, facts?: its facts where none are bundled, inherited?, status: created | replaced | same, bytes, sha256, wire?,\nverified: bytes | wire | accepted",
  async run(values, context) {
    const { runPull } = await import("../run/pull.js");
    return runPull(values, context);
  },
};
