import type { OutputFile } from "../plan/file-plan.js";
import { packageRange } from "../plan/package-range.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { command, header, origin, protocolName, protocolTitle } from "./header.js";
import { type Code, code, EMPTY, escapeString, identifier, literal } from "./printer/code.js";
import { renderTemplate } from "./template.js";
import { codeSpan } from "./printer/page-text.js";
import type { Protocol } from "../link/protocol.js";

const MODULES = ["types", "validators", "methods", "client", "server"];

export function emitPackageJson(plan: RevisionPlan): OutputFile {
  const { packageName, version, runtime, protocol, features } = plan;
  const dependency = packageOf(runtime);
  const view = {
    origin: escapeString(origin(plan)),
    name: escapeString(packageName),
    version: escapeString(version),
    description: escapeString(
      `Typed messages, validators, client and server of the ${protocolName(protocol)}.`,
    ),
    keywords: [...(protocol.keywords ?? []), "json-rpc"].map(escapeString).join(", "),
    modules: [
      { subpath: ".", file: "index" },
      ...[...MODULES, ...(features ? ["features"] : [])].map((file) => ({
        subpath: `./${file}`,
        file,
      })),
    ],
    hasDependency: dependency !== undefined,
    dependency: escapeString(dependency ?? ""),
    range: escapeString(packageRange(dependency ?? "", plan)),
  };
  return { path: "package.json", text: renderTemplate("revision/package.json", view) };
}

/**
 * Returns the name of the package in a module specifier; undefined for a file, a URL, or an import that begins with
 * `#`.
 */
export function packageOf(specifier: string): string | undefined {
  if (/^(?:[./#]|[a-z]+:)/.test(specifier)) return undefined;
  const [scope, name] = specifier.split("/");
  return scope!.startsWith("@") && name !== undefined ? `${scope}/${name}` : scope;
}

export function emitTsconfig(plan: RevisionPlan): OutputFile {
  return {
    path: "tsconfig.json",
    text: renderTemplate("revision/tsconfig.json", { origin: origin(plan) }),
  };
}

export function emitReadme(plan: RevisionPlan): OutputFile {
  const { protocol, packageName } = plan;
  const has = (method: string): boolean =>
    protocol.methods.some((row) => row.method === method && row.from === "client");
  const view = {
    origin: origin(plan).replaceAll("--", "&#45;&#45;"),
    packageName,
    title: protocolTitle(protocol),
    isOnNpm: !plan.isOwnSchema && !plan.isVendored,
    isInFolder: plan.isOwnSchema || plan.isVendored,
    installed: installed(plan),
    hasConversation: has("tools/list") && has("tools/call"),
    implementation: protocol.envelope.implementation,
    hasVersion: hasVersion(plan),
    modules: table(["Import", "What is in it"], modules(plan)),
    command: codeSpan(command(plan)),
  };
  return { path: "README.md", text: renderTemplate("revision/README.md", view) };
}

function installed(plan: RevisionPlan): string {
  const folder = "path/to/this/folder";
  const dependency = packageOf(plan.runtime);
  if (dependency === undefined) return folder;
  const range = packageRange(dependency, plan);
  return `${folder} ${range.startsWith("file:") ? range.replace("file:", `${folder}/`) : dependency}`;
}

/**
 * Returns true if an implementation requires exactly `name` and a string `version`, as the example in README.md
 * assumes.
 */
function hasVersion({ protocol, shapes }: RevisionPlan): boolean {
  const members = shapes.named(protocol.envelope.implementation)?.members;
  const required = [...(members ?? [])].flatMap(([name, { optional }]) => (optional ? [] : [name]));
  const version = members?.get("version")?.types[0]?.type;
  const isString = version?.kind === "keyword" && version.name === "string";
  return isString && required.toSorted().join() === "name,version";
}

function modules({ packageName: name, features }: RevisionPlan): string[][] {
  const bound = features?.classes.map((feature) => `\`${feature.name}\``).join(", ");
  return [
    [`\`${name}\``, "everything but the features; `validators` is a namespace"],
    ["`…/types`", "the types of the schema, and maps from methods to types"],
    ["`…/validators`", "a function per type: `(value, trace?) => boolean`"],
    ["`…/methods`", "`revision`: methods, traits and error codes as one value"],
    ["`…/client`, `…/server`", "`Client`, `Server`, and the types of their handlers"],
    ...(bound ? [["`…/features`", bound]] : []),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const rule = head.map(() => "---");
  return [head, rule, ...rows].map((row) => `| ${row.join(" | ")} |`);
}

export function emitIndex(plan: RevisionPlan): OutputFile {
  const { client, server } = plan;
  return {
    path: "index.ts",
    text: renderTemplate("revision/index.ts", { header: header(plan), client, server }),
  };
}

export function proseCodes({ errorCodes }: Protocol): Code {
  const constants = errorCodes
    .filter((error) => error.origin === "prose")
    .map((error) => code`export const ${identifier(error.name)} = ${literal(error.code)};\n`);
  return constants.length === 0
    ? EMPTY
    : code`/* Error codes that the specification states only in prose */\n\n${constants}\n`;
}
