import type { Command } from "../command.js";
import { factsOption } from "./shared-options.js";

export const fingerprint: Command = {
  name: "fingerprint",
  parameters: "<schema>",
  description: "Print the API digest and the wire digest of a schema",
  positionals: {
    schema: {
      type: "string",
      completes: "revisions",
      describe: "Bundled revision or extension, or path of a schema.ts",
    },
  },
  options: {
    facts: factsOption,
    revision: {
      type: "string",
      completes: "revisions",
      value: "id",
      description: "Bundled revision or extension whose recorded digests to compare a file with",
      requiresArg: true,
    },
  },
  examples: [
    ["$0 fingerprint 2025-03-26", "the bundled schema beside the official file's record"],
    ["$0 fingerprint ./schema.ts", "which revision is this file?"],
  ],
  epilogue:
    "Equal API digests (names and shapes) mean that the same code is generated.\n" +
    "Equal wire digests mean that the same messages are valid; names of helper types do not count.\n" +
    "The bundled schemas restate the official ones: their digests are equal, their bytes differ.",
  json: "schema, sha256, api, wire, revision?, official?, equal?: { sha256, api, wire }",
  async run(values, context) {
    const { runFingerprint } = await import("../run/fingerprint.js");
    return runFingerprint(values, context);
  },
};
