import type { Command } from "../command.js";
import { packageOptions } from "./shared-options.js";

export const extension: Command = {
  name: "extension",
  parameters: "<schema>",
  description: "Generate an extension of the protocol from its schema",
  positionals: {
    schema: {
      type: "string",
      describe: "Bundled extension, or path of a schema that imports from that of the revision",
    },
  },
  options: {
    id: {
      type: "string",
      value: "id",
      description: "Id that both sides declare, with your own prefix: com.example/maps",
      requiresArg: true,
      group: "Input",
    },
    revision: {
      type: "string",
      completes: "revisions",
      value: "id",
      description: "Revision that it extends: a bundled one (default: the newest), or a schema.ts",
      requiresArg: true,
      group: "Input",
    },
    facts: {
      type: "string",
      value: "file",
      description: "Facts that the schema of the extension does not state",
      requiresArg: true,
      group: "Input",
    },
    out: {
      type: "string",
      value: "folder",
      description: "Folder for the files (default: generated/<last part of the id>)",
      requiresArg: true,
      group: "Output",
    },
    ...packageOptions,
  },
  examples: [
    ["$0 extension tasks", "a bundled one, into generated/tasks/; all are in universal, too"],
    ["$0 extension maps.ts --id com.example/maps", "of the newest revision, into generated/maps/"],
    ["$0 extension maps.ts --id com.example/maps --check", "in CI: fail if the files are stale"],
  ],
  epilogue: [
    'The schema is written like that of a revision: it imports its types with import type { … } from "…", with any',
    "path, and lists its messages in ClientRequest, ServerRequest, ClientNotification and ServerNotification.",
    "The member `extensions` of the configuration lists extensions to generate along with revisions.",
  ].join("\n"),
  json: [
    "mode, summary: { files, bytes, milliseconds }, missing?: a package to install,",
    "outputs: [{ revision, extension, folder, files: [{ path, status, bytes?, note?, diff? }] }]",
  ].join("\n"),
  async run(values, context) {
    const { runExtension } = await import("../run/generate.js");
    return runExtension(values, context);
  },
};
