import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { origin } from "./header.js";
import { protocolName } from "./protocol-name.js";
import { escapeString } from "./printer/escape.js";
import { renderTemplate } from "./template.js";

const MODULES = ["types", "validators", "methods", "client", "server"];

/** package.json: the package as others install it. */
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
    range: escapeString(dependency?.startsWith("@mcp-codegen/") ? `^${version}` : "*"),
  };
  return { path: "package.json", text: renderTemplate("revision/package.json", view) };
}

/** Name of the package that a module specifier leads to; undefined for a file. */
export function packageOf(specifier: string): string | undefined {
  if (/^(?:[./#]|[a-z]+:)/.test(specifier)) return undefined;
  const [scope, name] = specifier.split("/");
  return scope!.startsWith("@") && name !== undefined ? `${scope}/${name}` : scope;
}
