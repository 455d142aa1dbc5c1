import type { Command } from "../command.js";

export const migrate: Command = {
  name: "migrate",
  parameters: "<folder>",
  description: "Move a project from the official SDK to @mcp-codegen/sdk",
  positionals: {
    folder: { type: "string", describe: "Folder of the project" },
  },
  options: {
    "dry-run": { type: "boolean", description: "Write nothing; show what would change, as a diff" },
    "from-registry": {
      type: "boolean",
      description:
        "Depend on published packages even if the command runs from a clone, which otherwise packs them into vendor/",
    },
    force: {
      type: "boolean",
      description: "Change files even if the git work tree has uncommitted changes",
    },
  },
  examples: [
    ["$0 migrate . --dry-run", "shows the changes, and what is left to do by hand"],
    ["$0 migrate packages/server", "changes imports and package.json of one package"],
  ],
  epilogue: [
    "Changes imports of @modelcontextprotocol/*, version 1 and version 2, in TypeScript and JavaScript, and the",
    "dependencies in package.json. Warnings say, with file and line, what is left. Nothing is installed.",
  ].join("\n"),
  json: "folder, written, files: [{ path, imports, diff }], vendored?: folder of the archives",
  async run(values, context) {
    const { runMigrate } = await import("../run/migrate.js");
    return runMigrate(values, context);
  },
};
