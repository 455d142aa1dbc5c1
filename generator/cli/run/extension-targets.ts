import { existsSync } from "node:fs";
import { join, normalize } from "node:path";
import {
  type BundledExtension,
  bundledExtension,
  bundledExtensions,
  bundledRevisions,
} from "../../bundled/bundled.js";
import type { ExtensionConfig } from "../../config/config.js";
import type { Diagnostics } from "../../diagnostics.js";
import { problemOfName } from "../../output/paths.js";
import type { OutputFolder } from "../../output/inventory.js";
import { EXTENSION_ID_RULE, folderOfExtension, isExtensionId } from "../../plan/ids.js";
import type { Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import { optionWords } from "../../plan/command-line.js";
import { inCommand } from "../read-input.js";
import { revisionSource } from "../revision-source.js";
import { suggest } from "../suggest.js";
import type { ExtensionTarget, Request } from "./request.js";

export function resolveExtension(values: Values, diagnostics: Diagnostics): Request | undefined {
  const [id, facts] = [values.text("id"), values.text("facts")];
  const [revision, out, runtime] = [
    values.text("revision"),
    values.text("out"),
    values.text("runtime"),
  ];
  const schema = values.text("schema")!;
  const bundled = existsSync(schema) ? undefined : bundledExtension(schema);
  if (bundled) return bundledRequest(bundled, values, diagnostics);
  if (id === undefined) {
    const names = bundledExtensions().map(({ name }) => name);
    const meant = existsSync(schema) ? undefined : suggest(schema, names);
    const problem = meant
      ? usageError(
          `There is no bundled extension ${JSON.stringify(schema)}, and no such file.`,
          meant,
        )
      : usageError(
          "extension needs --id.",
          `Both sides declare it: --id com.example/maps. Bundled extensions, which need none: ${names.join(", ")}.`,
        );
    diagnostics.add(problem);
    return undefined;
  }
  const config: ExtensionConfig = {
    id,
    schema,
    ...(revision !== undefined && { revision }),
    ...(facts !== undefined && { facts }),
    ...(out !== undefined && { out }),
  };
  const target = extensionTarget(config, "generated", diagnostics);
  const modulesOnly = values.flag("modules-only");
  const words = [
    "extension",
    schema.startsWith("-") ? `./${schema}` : inCommand(schema),
    ...optionWords("facts", facts === undefined ? undefined : inCommand(facts)),
    ...optionWords("id", id),
    ...optionWords("revision", revision ?? target?.extended.revision),
    ...optionWords("out", out === undefined ? undefined : inCommand(out)),
    ...optionWords("runtime", runtime),
    ...(modulesOnly ? ["--modules-only"] : []),
  ];
  return (
    target && {
      targets: [],
      extensions: [{ ...target, invocation: { words } }],
      ...(runtime !== undefined && { runtime }),
      ...(modulesOnly && { modulesOnly }),
    }
  );
}

/**
 * Returns the request for a bundled extension's package. Rejects options that state the extension's id, facts or
 * revision, because these are already known.
 */
function bundledRequest(
  { name, id, schema, facts, ...bundled }: BundledExtension,
  values: Values,
  diagnostics: Diagnostics,
): Request | undefined {
  for (const option of ["id", "facts", "revision"]) {
    if (values.text(option) === undefined) continue;
    const message = `extension ${name} does not accept --${option}.`;
    diagnostics.add(usageError(message, "Bundled extensions have their own."));
    return undefined;
  }
  const [out, runtime] = [values.text("out"), values.text("runtime")];
  const modulesOnly = values.flag("modules-only");
  const extended = revisionSource(bundled.extends, diagnostics);
  const words = [
    "extension",
    name,
    ...optionWords("out", out === undefined ? undefined : inCommand(out)),
    ...optionWords("runtime", runtime),
    ...(modulesOnly ? ["--modules-only"] : []),
  ];
  const folder = folderOf(out, "generated", name);
  return (
    extended && {
      targets: [],
      extensions: [{ id, schema, facts, bundled: name, extended, folder, invocation: { words } }],
      ...(runtime !== undefined && { runtime }),
      ...(modulesOnly && { modulesOnly }),
    }
  );
}

/**
 * Returns an extension's target.
 *
 * @param root - the parent of the extension's folder, unless the configuration names another folder
 */
export function extensionTarget(
  { id, schema, facts, out, revision = bundledRevisions().at(-1)!.revision }: ExtensionConfig,
  root: string,
  diagnostics: Diagnostics,
): ExtensionTarget | undefined {
  if (!isExtensionId(id)) {
    const message = `${JSON.stringify(id)} cannot be the id of an extension: ${EXTENSION_ID_RULE}.`;
    diagnostics.add(usageError(message, "For example: com.example/maps"));
    return undefined;
  }
  const problem = out === undefined ? problemOfName(folderOfExtension(id)) : undefined;
  if (problem !== undefined) {
    const name = JSON.stringify(folderOfExtension(id));
    diagnostics.add(usageError(`${name} cannot be a folder: ${problem}.`, "Name one with --out."));
    return undefined;
  }
  const extended = revisionSource(revision, diagnostics);
  const folder = folderOf(out, root, folderOfExtension(id));
  return extended && { id, schema, extended, folder, ...(facts !== undefined && { facts }) };
}

function folderOf(out: string | undefined, root: string, name: string): OutputFolder {
  if (out === undefined) return { root: trimmed(root), path: join(trimmed(root), name) };
  return { root: trimmed(out), path: trimmed(out) };
}

function trimmed(path: string): string {
  return normalize(path).replace(/(?<=.)[\\/]$/, "");
}
