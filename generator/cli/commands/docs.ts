import type { Command } from "../command.js";
import { packageOptions } from "./shared-options.js";

export const docs: Command = {
  name: "docs",
  description: "Generate a site about the protocol: reference, history, search",
  options: {
    revision: {
      type: "string",
      completes: "revisions",
      array: true,
      nargs: 1,
      value: "id",
      description: "Bundled revision to include; may be repeated (default: all)",
      requiresArg: true,
      group: "Input",
    },
    extension: {
      type: "string",
      array: true,
      nargs: 1,
      value: "name",
      description:
        "Bundled extension to include, or id=schema.ts for one of your own; may be repeated (default: all bundled, with all revisions)",
      requiresArg: true,
      group: "Input",
    },
    schema: {
      type: "string",
      value: "file",
      description:
        "A schema.ts of your own, as the newest revision: alone, or after those of --revision",
      requiresArg: true,
      group: "Input",
    },
    facts: {
      type: "string",
      value: "file",
      description:
        "Facts for that schema (default: those of the bundled revision of that name, or of the revision before it)",
      requiresArg: true,
      group: "Input",
    },
    lock: {
      type: "string",
      array: true,
      nargs: 1,
      value: "file",
      description:
        "Lock file whose servers to include; an older one before it, with a --lock of its own, adds the changes since",
      requiresArg: true,
      group: "Input",
    },
    guide: {
      type: "string",
      value: "folder",
      description: "Markdown files to add as a guide, with README.md as its first page",
      requiresArg: true,
      group: "Input",
    },
    requirements: {
      type: "string",
      value: "folder",
      description:
        "Markdown files with requirements, a line each: - **ID** (LEVEL; who; revisions): …",
      requiresArg: true,
      group: "Input",
    },
    out: {
      type: "string",
      value: "folder",
      description: "Folder for the files",
      default: "site",
      requiresArg: true,
      group: "Output",
    },
    base: {
      type: "string",
      value: "url",
      description:
        "URL where the site will be published, for canonical links and the page 404.html",
      requiresArg: true,
      group: "Output",
    },
    force: {
      type: "boolean",
      description:
        "Also replace files that were edited after they were generated, and write a new site into a folder with other files",
      group: "Output",
    },
    check: packageOptions.check,
    serve: {
      type: "boolean",
      description:
        "Write nothing; serve the pages to agents as an MCP server on standard input and output",
      group: "Mode",
    },
    "dry-run": packageOptions["dry-run"],
  },
  examples: [
    ["$0 docs --out site", "all bundled revisions; open site/index.html"],
    ["$0 docs --schema my.ts --out site", "a protocol of your own"],
    ["$0 docs --revision 2025-11-25 --schema draft.ts", "what a draft changes"],
    ["$0 docs --out site --check", "in CI: fail if the site is stale"],
    ["$0 docs --lock mcp.lock.json", "also a page for each locked server"],
    ["$0 docs --extension com.example/maps=maps.ts", "an extension of your own"],
    ["$0 docs --serve", "for agents: a search tool, and the pages as resources"],
  ],
  epilogue:
    "The files need no server: links are relative, and no page loads anything from elsewhere. Each page has a twin in Markdown, and llms.txt lists them.",
  json: [
    "mode, summary: { files, bytes, milliseconds },",
    "outputs: [{ revision, folder, files: [{ path, status, bytes?, note?, diff? }] }]",
  ].join("\n"),
  async run(values, context) {
    const { runDocs } = await import("../run/docs.js");
    return runDocs(values, context);
  },
};
