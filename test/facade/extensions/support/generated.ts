import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CustomNotification, CustomRequest } from "@mcp-codegen/runtime";
import { bundledRevision } from "../../../../generator/bundled/bundled.js";
import { Diagnostics } from "../../../../generator/diagnostics.js";
import { generateExtension } from "../../../../generator/generate-extension.js";
import { readFacts } from "../../../../generator/link/read-facts.js";
import { load } from "../../../../generator/load/load.js";
import type { OutputFile } from "../../../../generator/plan/file-plan.js";
import type { Validator } from "../../../../runtime/wire/validation/validator.js";

const schemas = fileURLToPath(new URL("../schemas", import.meta.url));
const bundledFile = (path: string) =>
  fileURLToPath(new URL(`../../../../schema/extensions/${path}`, import.meta.url));

/** The extensions of these tests, each with its schema, its id, and facts if there are any. */
export const EXTENSIONS = {
  notes: { id: "io.example/notes", schema: join(schemas, "notes.ts") },
  tasks: {
    id: "io.modelcontextprotocol/tasks",
    schema: bundledFile("tasks/schema.ts"),
    facts: bundledFile("tasks/facts.json"),
  },
  jobs: {
    id: "com.example/jobs",
    schema: join(schemas, "jobs.ts"),
    facts: join(schemas, "jobs.facts.json"),
  },
} as const;

export type ExtensionName = keyof typeof EXTENSIONS;

/** A generated extension, with the types that the tests need. */
export interface Generated<Extension = AnyExtension> {
  readonly extension: Extension;
  readonly validators: Readonly<Record<string, Validator>>;
}

interface AnyExtension {
  readonly id: string;
  readonly requests: Readonly<Record<string, CustomRequest<unknown, unknown>>>;
  readonly notifications: Readonly<Record<string, CustomNotification<unknown>>>;
}

interface Note {
  readonly id: string;
  readonly text: string;
  readonly author?: "user" | "assistant";
  readonly replies?: Note[];
}

/** The types generated from the notes schema. A separate test compares them. */
export interface NotesExtension extends AnyExtension {
  readonly requests: {
    readonly "notes/list": CustomRequest<
      { shelf?: string; cursor?: string } | undefined,
      { notes: Note[] }
    >;
    readonly "notes/add": CustomRequest<{ text: string }, { note: Note }>;
  };
  readonly notifications: {
    readonly "notifications/notes/changed": CustomNotification<{ shelf: string }>;
    readonly "notifications/notes/shown": CustomNotification<{ id: string }>;
  };
}

export interface ExtensionOptions {
  readonly revision?: string;
  /** Changes the schema. */
  readonly edit?: (schema: string) => string;
  /** Changes the facts. */
  readonly editFacts?: (facts: string) => string;
  readonly id?: string;
}

/** Generates one of the extensions. If it is refused, returns the messages of the refusal. */
export async function generate(
  name: ExtensionName,
  {
    revision = "2026-07-28",
    edit = (text) => text,
    editFacts = (text) => text,
    id = EXTENSIONS[name].id,
  }: ExtensionOptions = {},
): Promise<{ readonly files: readonly OutputFile[]; readonly problems: readonly string[] }> {
  const diagnostics = new Diagnostics();
  const { schema, ...rest } = EXTENSIONS[name];
  const bundled = bundledRevision(revision)!;
  const facts = (file: string, change = (text: string) => text) =>
    readFacts(change(readFileSync(file, "utf8")), file, diagnostics)!;
  const source = load(schema, diagnostics)!;
  const input = {
    id,
    source: { ...source, text: edit(source.text) },
    extended: {
      revision,
      source: load(bundled.schema, diagnostics)!,
      ...(bundled.facts && { facts: facts(bundled.facts) }),
    },
    ...("facts" in rest && { facts: facts(rest.facts, editFacts) }),
  };
  const files = (await generateExtension(input, diagnostics)) ?? [];
  return { files, problems: diagnostics.items.map(({ code, message }) => `${code} ${message}`) };
}

/** A folder with generated extensions outside the repository. */
export class ExtensionFolder {
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "mcp-codegen-extension-")));

  put(files: readonly OutputFile[]): this {
    for (const { path, text } of files) writeFileSync(join(this.path, path), text);
    return this;
  }

  async import<Extension = AnyExtension>(): Promise<Generated<Extension>> {
    return (await import(/* @vite-ignore */ join(this.path, "index.ts"))) as Generated<Extension>;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
