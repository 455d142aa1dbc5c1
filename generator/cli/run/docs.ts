import { existsSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { bundledExtensions, bundledRevisions } from "../../bundled/bundled.js";
import type { Diagnostics } from "../../diagnostics.js";
import type { ExtensionInput, RevisionInput } from "../../docs/collect/collect.js";
import type { ServerDescription } from "../../docs/collect/server.js";
import { examplesOf } from "../../docs/collect/examples.js";
import { contentOf, docs, type DocsInput } from "../../docs/docs.js";
import { referenceServer, type ServerParts } from "../../docs/serve.js";
import type { GuideFile } from "../../docs/pages/guide.js";
import { readText } from "../../load/read-bytes.js";
import { compare } from "../../output/compare.js";
import { readInventory } from "../../output/inventory.js";
import { checkPaths, refusePath } from "../../output/paths.js";
import { optionWords } from "../../plan/command-line.js";
import { EXTENSION_ID_RULE, isExtensionId } from "../../plan/ids.js";
import { refuseTarget } from "../../scaffold/target-folder.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import { loadContractPackage } from "../contract-package.js";
import { loadPart, loadWriting } from "../load-part.js";
import type { Outcome } from "../outcome.js";
import type { Progress } from "../progress.js";
import { inCommand, readFactsFile, readInput } from "../read-input.js";
import { linkSource } from "../read-protocol.js";
import {
  extensionSource,
  protocolSource,
  type RevisionSource,
  unknownRevision,
} from "../revision-source.js";
import { suggest } from "../suggest.js";
import type { Mode } from "./generate-report.js";

/** The maximum size, in bytes, of a Markdown file in the guide or the requirements. */
const LARGEST_PAGE = 16 * 1024 * 1024;

/** The maximum size, in bytes, of an example that a schema refers to. */
const LARGEST_EXAMPLE = 64 * 1024;

export async function runDocs(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const start = performance.now();
  const mode = modeOf(values, diagnostics);
  const base = baseOf(values.text("base"), diagnostics);
  const sources = sourcesOf(values, diagnostics);
  if (mode === undefined || sources === undefined || diagnostics.hasErrors) return undefined;
  const revisions: RevisionInput[] = [];
  for (const source of sources) {
    progress.step(`Reading ${source.revision}`);
    const read = inputOf(source, diagnostics);
    if (read === undefined) return undefined;
    revisions.push(read);
  }
  const extensions: ExtensionInput[] = [];
  for (const source of extensionsOf(values, diagnostics)) {
    progress.step(`Reading ${source.revision}`);
    const read = inputOf(source, diagnostics);
    if (read) extensions.push({ ...read, extends: source.extends! });
  }
  if (diagnostics.hasErrors) return undefined;
  const servers = await serversOf(values, diagnostics);
  if (servers === undefined) return undefined;
  const guide = guideOf(values.text("guide"), diagnostics);
  const requirements = guideOf(values.text("requirements"), diagnostics);
  if (guide === undefined || requirements === undefined) return undefined;
  progress.step("Composing the pages");
  const content = {
    revisions,
    extensions,
    guide,
    requirements,
    servers,
    words: wordsOf(values),
    ...(base && { base }),
  };
  if (values.flag("serve")) return serve(content, diagnostics, progress);
  const files = docs(content);
  const path = normalize(values.text("out")!).replace(/(?<=.)[\\/]$/, "");
  const folder = { root: path, path };
  const paths = files.map((file) => file.path);
  const inventory = checkPaths(paths, diagnostics)
    ? readInventory(folder, paths, diagnostics)
    : undefined;
  if (inventory === undefined) return undefined;
  const target = { revision: sources.at(-1)!.revision, folder };
  const changes = compare(files, inventory);
  const isNew = changes.every(({ status }) => status === "missing");
  const force = values.flag("force");
  const occupied = mode === "write" && isNew ? refuseTarget(path, force) : undefined;
  if (occupied !== undefined) {
    diagnostics.add({ code: "MCG6101", severity: "error", message: occupied });
    return undefined;
  }
  const generations = [{ target, changes }];
  const { report, writeAll } = await loadWriting();
  if (mode === "write" && !writeAll(generations, { force, progress }, diagnostics)) {
    return undefined;
  }
  const milliseconds = performance.now() - start;
  return report(generations, mode, { milliseconds, missing: undefined, vendored: [] });
}

function inputOf(source: RevisionSource, diagnostics: Diagnostics): RevisionInput | undefined {
  const input = readInput(source, diagnostics);
  const linked = input && linkSource(input, source, diagnostics);
  if (input === undefined || linked === undefined) return undefined;
  const { protocol } = linked;
  const examples = examplesOf(protocol, (path) => exampleText(join(dirname(source.schema), path)));
  return { protocol, examples, ...(input.facts && { facts: input.facts }) };
}

function exampleText(path: string): string | undefined {
  try {
    const text = readText(path, LARGEST_EXAMPLE);
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

function extensionsOf(values: Values, diagnostics: Diagnostics): readonly RevisionSource[] {
  const [own, names] = [true, false].map((isOwn) =>
    values.list("extension").filter((one) => one.includes("=") === isOwn),
  ) as [string[], string[]];
  const bundled = bundledExtensions();
  const known = bundled.map(({ name }) => name);
  for (const name of names.filter((one) => !known.includes(one))) {
    const hint = suggest(name, known) ?? `Bundled extensions: ${known.join(", ")}.`;
    diagnostics.add(usageError(`There is no bundled extension ${JSON.stringify(name)}.`, hint));
  }
  const chosen = isOfAll(values) ? known : names;
  return [
    ...bundled.filter(({ name }) => chosen.includes(name)).map(extensionSource),
    ...own.flatMap((one) => ownExtension(one, diagnostics) ?? []),
  ];
}

/**
 * Reads an extension option of the form `id=schema.ts`. Uses the `facts.json` next to the schema if its facts are about
 * this id.
 */
function ownExtension(text: string, diagnostics: Diagnostics): RevisionSource | undefined {
  const split = text.indexOf("=");
  const [id, schema] = [text.slice(0, split), text.slice(split + 1)];
  if (!isExtensionId(id)) {
    const message = `${JSON.stringify(id)} cannot be the id of an extension: ${EXTENSION_ID_RULE}.`;
    diagnostics.add(usageError(message, "For example: --extension com.example/maps=maps.ts"));
    return undefined;
  }
  const file = join(dirname(schema), "facts.json");
  const facts = existsSync(file) ? readFactsFile(file, diagnostics) : undefined;
  const isOwn = facts?.revision === id;
  const base = (isOwn ? facts.extends : undefined) ?? bundledRevisions().at(-1)!.revision;
  return { revision: id, schema, isBundled: false, extends: base, ...(isOwn && { facts: file }) };
}

async function serversOf(
  values: Values,
  diagnostics: Diagnostics,
): Promise<readonly ServerDescription[] | undefined> {
  const files = values.list("lock");
  if (files.length === 0) return [];
  return (await loadContractPackage(diagnostics))?.describeServers(files, diagnostics);
}

/** Returns true if nothing was selected, in which case everything is included. */
function isOfAll(values: Values): boolean {
  return ["revision", "extension", "schema"].every((name) => values.list(name).length === 0);
}

function modeOf(values: Values, diagnostics: Diagnostics): Mode | undefined {
  if (!values.flag("check")) return values.flag("dry-run") ? "dry-run" : "write";
  if (!values.flag("dry-run")) return "check";
  diagnostics.add(usageError("--check and --dry-run cannot be combined.", "Use one of them."));
  return undefined;
}

/** Returns the published site's URL with a trailing `/`. */
function baseOf(url: string | undefined, diagnostics: Diagnostics): string | undefined {
  if (url === undefined) return undefined;
  if (URL.canParse(url) && /^https?:\/\//i.test(url)) {
    const { origin, pathname } = new URL(url);
    return `${origin}${pathname.replace(/\/?$/, "/")}`;
  }
  const hint = "For example: --base https://example.com/reference/";
  diagnostics.add(usageError(`--base ${JSON.stringify(url)} is not a URL with http(s).`, hint));
  return undefined;
}

// Declared as `string`, because the package is built after this one and its types do not exist yet.
const UNIVERSAL: string = "@mcp-codegen/universal";

interface Universal extends ServerParts<object> {
  serveStdio(server: object): Promise<void>;
}

async function serve(
  content: DocsInput,
  diagnostics: Diagnostics,
  progress: Progress,
): Promise<undefined> {
  const universal = await loadPart(() => import(UNIVERSAL) as Promise<Universal>, diagnostics);
  if (universal === undefined) return;
  const server = await referenceServer(contentOf(content), universal);
  progress.end();
  await universal.serveStdio(server);
}

/** Returns the site's revisions, oldest first. A user's own schema counts as the newest. */
function sourcesOf(
  values: Values,
  diagnostics: Diagnostics,
): readonly RevisionSource[] | undefined {
  const names = values.list("revision");
  const schema = values.text("schema");
  if (values.text("facts") !== undefined && schema === undefined) {
    const hint = "Bundled revisions have their own facts.";
    diagnostics.add(usageError("--facts needs --schema.", hint));
    return undefined;
  }
  const bundled = bundledRevisions();
  for (const name of names) {
    if (!bundled.some(({ revision }) => revision === name)) diagnostics.add(unknownRevision(name));
  }
  const isAll = names.length === 0 && schema === undefined;
  const chosen = bundled
    .filter(({ revision }) => isAll || names.includes(revision))
    .map((revision) => ({ ...revision, isBundled: true }));
  if (schema === undefined) return chosen;
  const own = protocolSource(schema, values.text("facts"), diagnostics);
  return own && [...chosen.filter(({ revision }) => revision !== own.revision), own];
}

function wordsOf(values: Values): readonly string[] {
  const { text, list } = {
    text: (name: string) => values.text(name),
    list: (name: string) => values.list(name),
  };
  const file = (name: string): readonly string[] => {
    const path = text(name);
    return optionWords(name, path === undefined ? undefined : inCommand(path));
  };
  return [
    ...list("revision").flatMap((name) => optionWords("revision", name)),
    ...list("extension").flatMap((name) => optionWords("extension", name)),
    ...list("lock").flatMap((path) => optionWords("lock", inCommand(path))),
    ...file("schema"),
    ...file("facts"),
    ...file("guide"),
    ...file("requirements"),
    ...file("out"),
    ...optionWords("base", text("base")),
  ];
}

/** Reads the Markdown files below a folder, its `README.md` first. */
function guideOf(
  folder: string | undefined,
  diagnostics: Diagnostics,
): readonly GuideFile[] | undefined {
  if (folder === undefined) return [];
  let path = folder;
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => name.endsWith(".md"))
      .toSorted((one, other) => (one < other ? -1 : 1))
      .toSorted((one, other) => Number(other === "README.md") - Number(one === "README.md"))
      .map((name) => {
        path = join(folder, name);
        return { path: name, text: readText(path, LARGEST_PAGE) };
      });
  } catch (error) {
    refusePath("read", path, error, diagnostics, true);
    return undefined;
  }
}
