import type { Command } from "../command.js";

/** The default command: generates one revision, several or all into folders. */
export const generate: Command = {
  name: "generate",
  description: "Generate the code for protocol revisions (the default command)",
  options: {
    revision: {
      type: "string",
      completes: "revisions",
      array: true,
      nargs: 1,
      value: "id",
      description: "Revision to generate; may be repeated",
      requiresArg: true,
      group: "Input",
    },
    all: {
      type: "boolean",
      description: "Every bundled revision, and the package that serves all of them",
      group: "Input",
    },
    universal: {
      type: "boolean",
      description: "Also generate one package that serves all of these revisions",
      group: "Input",
    },
    schema: {
      type: "string",
      value: "file",
      description:
        "A schema.ts of your own. --revision names it; with --universal, the last --revision does",
      requiresArg: true,
      group: "Input",
    },
    facts: {
      type: "string",
      value: "file",
      description:
        "Facts about that schema (default: those of the bundled revision of that name, or of the revision before it)",
      requiresArg: true,
      group: "Input",
    },
    config: {
      type: "string",
      value: "file",
      description:
        "Configuration file (default: mcp-codegen.config.{js,mjs,json} in this folder, if any)",
      requiresArg: true,
      group: "Input",
    },
    out: {
      type: "string",
      value: "folder",
      description:
        "Folder for the files; several revisions get a subfolder each (default: generated/<revision>)",
      requiresArg: true,
      group: "Output",
    },
    runtime: {
      type: "string",
      value: "module",
      description: "Module to import instead of @mcp-codegen/runtime/codegen",
      requiresArg: true,
      group: "Output",
    },
    "modules-only": {
      type: "boolean",
      description:
        "Only the modules, without package.json, tsconfig.json and README.md: for a folder inside of your project",
      group: "Output",
    },
    "from-registry": {
      type: "boolean",
      description:
        "Depend on published packages, also where the command runs from a clone, which otherwise packs them into vendor/",
      group: "Output",
    },
    force: {
      type: "boolean",
      description: "Replace files that were edited after they were generated, too",
      group: "Output",
    },
    check: {
      type: "boolean",
      description:
        "Write nothing; list every file that differs from the generated one, with a diff, and exit 1",
      group: "Mode",
    },
    "dry-run": {
      type: "boolean",
      description: "Write nothing; list what would be written and removed",
      group: "Mode",
    },
    watch: {
      type: "boolean",
      description: "Keep running, and generate again when a schema changes; stop with Ctrl+C",
      group: "Mode",
    },
  },
  examples: [
    ["$0 --revision 2025-03-26", "into generated/2025-03-26/"],
    ["$0 --revision 2025-03-26 --out src/mcp --modules-only", "modules of your own project"],
    ["$0 --all --out packages", "every bundled revision into packages/<revision>/"],
    ["$0 --all --out packages --check", "in CI: fail when the files are stale"],
    ["$0 --schema my.ts --revision draft --watch", "while a schema is being written"],
    ["$0 --universal --revision 2025-11-25 --revision 2026-07-28", "two revisions and universal/"],
  ],
  epilogue: [
    "Words of --check:",
    "  missing  would be created",
    "  changed  generated from another schema, with other options or by another version of mcp-codegen",
    "  edited   changed after it was generated: replaced only with --force",
    "  extra    a generated file that is no longer part of the output",
    "  foreign  in the way, and without our header: never replaced or removed",
  ].join("\n"),
  json: [
    "mode, summary: { files, bytes, milliseconds }, missing?: a package to install,",
    "vendored?: [folder],",
    "outputs: [{ revision, folder, inherited?: facts of the revision before,",
    "  files: [{ path, status, bytes?, note?, diff? }] }]",
  ].join("\n"),
  async run(values, context) {
    const { runGenerate } = await import("../run/generate.js");
    return runGenerate(values, context);
  },
};
