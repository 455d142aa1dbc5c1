import { packageRange } from "../../plan/package-range.js";
import type { ExtensionPlan } from "../../plan/extension-plan.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { isOnDemand, type UniversalPlan } from "../../plan/universal-plan.js";
import { alignColumns, renderTemplate } from "../template.js";
import { emitExtensionModules } from "../extension/emit-extension.js";
import { familyRow } from "../methods.js";
import { escapeString, literal } from "../printer/code.js";
import { Imports, print } from "../printer/module.js";
import { emitClientModule } from "./client-module.js";
import { emitCommon } from "./common.js";
import { command, header, localName, origin } from "./header.js";
import { emitRevision } from "./revision-module.js";
import { emitSummaries } from "./summaries.js";
import { emitSteps } from "./steps.js";

const MODULES = [
  "types",
  "handler-types",
  "families",
  "revisions",
  "on-demand",
  "index",
  "server",
  "http",
  "client",
  "bare/server",
  "bare/client",
];

const PUBLIC = [
  "types",
  "families",
  "revisions",
  "server",
  "http",
  "client",
  "bare/server",
  "bare/client",
];

/**
 * The bundled extensions that the runtime implements. For each of them, a module connects the extension with its
 * implementation.
 */
const WITH_BEHAVIOUR = ["apps", "skills", "tasks"];

export function emitUniversal(plan: UniversalPlan): OutputFile[] {
  const ids = plan.protocols.map(({ revision }) => revision);
  return [
    ...MODULES.map((name) => emitModule(plan, name)),
    emitClientModule(plan),
    emitSummaries(plan),
    ...ids.map((revision) => emitRevision(plan, revision)),
    ...emitSteps(plan),
    ...emitCommon(plan),
    ...plan.extensions.flatMap(emitBundled),
    ...behavioursOf(plan).map((name) => emitBehaviour(plan, name)),
    emitPackageJson(plan),
    {
      path: "tsconfig.json",
      text: renderTemplate("universal/tsconfig.json", { origin: origin(plan) }),
    },
    emitReadme(plan),
  ];
}

function emitBundled(plan: ExtensionPlan): OutputFile[] {
  return emitExtensionModules(plan).map(({ path, text }) => ({
    path: `extensions/${plan.bundled}/${path}`,
    text,
  }));
}

function behavioursOf({ extensions }: UniversalPlan): string[] {
  return WITH_BEHAVIOUR.filter((name) => extensions.some(({ bundled }) => bundled === name));
}

function emitBehaviour(plan: UniversalPlan, name: string): OutputFile {
  const text = renderTemplate(`universal/${name}.ts`, { header: header(plan) });
  return { path: `${name}.ts`, text };
}

function emitModule(plan: UniversalPlan, name: string): OutputFile {
  const { newest, protocols } = plan;
  const revisions = protocols.map(({ revision }) => ({
    local: localName(plan, revision),
    module: escapeString(`./revisions/${revision}.js`),
  }));
  const later = protocols.filter((protocol) => isOnDemand(plan, protocol));
  const atOnce = revisions.filter((_, index) => !later.includes(protocols[index]!));
  const onDemand = revisions.toReversed().map(({ local, module }, index) => {
    const isLater = later.includes(protocols.at(-1 - index)!);
    return isLater ? `/* @__PURE__ */ onDemand(${local}, () => import(${module}))` : local;
  });
  const newestFirst = revisions.toReversed().map(({ local }) => local);
  const view = {
    header: header(plan),
    newest,
    serverRequests: serverRequests(plan),
    olderMethods: olderMethods(plan).map(escapeString).join(" | ") || "never",
    results: resultsOf(plan),
    lists: JSON.stringify(listNames(plan)),
    families: JSON.stringify(familiesOf(plan)),
    familyRows: alignColumns(plan.families.map(familyRow)),
    lackingMembers: print(literal(plan.lackingMembers), new Imports()),
    types: escapeString(`@mcp-codegen/${newest}/types`),
    revisions,
    locals: newestFirst.join(", "),
    atOnce,
    hasLater: later.length > 0,
    summaries: later
      .toReversed()
      .map(({ revision }) => localName(plan, revision))
      .join(", "),
    onDemand,
  };
  return { path: `${name}.ts`, text: renderTemplate(`universal/${name}.ts`, view) };
}

function serverRequests({ protocols }: UniversalPlan): string {
  const isEmbedding = protocols.at(-1)!.methods.some(({ channel }) => channel === "embedded");
  return isEmbedding ? "types.ServerRequests & types.EmbeddedRequests" : "types.ServerRequests";
}

function olderMethods({ protocols, newestPlan }: UniversalPlan): string[] {
  const newest = new Set(newestPlan.protocol.methods.map(({ method }) => method));
  const sent = protocols.flatMap(({ methods }) => methods.filter(({ from }) => from !== "server"));
  const older = sent.map(({ method }) => method).filter((method) => !newest.has(method));
  return [...new Set(older)].toSorted();
}

/**
 * Returns the methods that use a single item from a server's list, each with its result type and one of that type's
 * required members, such as `content` in `CallToolResult`.
 */
function resultsOf({ newestPlan: { families, shapes } }: UniversalPlan): object[] {
  return families.flatMap(({ use, result = "", from, templatesOf }) => {
    const members = [...(shapes.named(result)?.members.values() ?? [])];
    const own = members.find(({ from: type, optional }) => type === result && !optional);
    const isOffered = from === "client" && templatesOf === undefined;
    return isOffered && own ? [{ method: use, type: result, member: own.name }] : [];
  });
}

/** Returns the names of the lists for which servers send change notifications, such as `tools`. */
function listNames({ newestPlan }: UniversalPlan): string[] {
  return newestPlan.protocol.methods.flatMap(({ method, kind, from }) => {
    const list = /^notifications\/(.+)\/list_changed$/.exec(method)?.[1];
    return kind === "notification" && from !== "client" && list !== undefined ? [list] : [];
  });
}

/** Returns the first segments of the methods that servers send as requests, such as `sampling`. */
function familiesOf({ newestPlan }: UniversalPlan): string[] {
  const requests = newestPlan.protocol.methods.filter(
    ({ method, kind, from }) => kind === "request" && from !== "client" && method.includes("/"),
  );
  return [...new Set(requests.map(({ method }) => method.split("/")[0]!))];
}

function emitPackageJson(plan: UniversalPlan): OutputFile {
  const { packageName, version, protocols, ownSchemas, isVendored } = plan;
  const range = (name: string): string =>
    isVendored && ownSchemas.includes(name)
      ? `file:../${name}`
      : packageRange(`@mcp-codegen/${name}`, plan);
  const ids = protocols.map(({ revision }) => revision);
  const needed = ["runtime", ...ids].toSorted();
  const view = {
    origin: escapeString(origin(plan)),
    name: escapeString(packageName),
    version: escapeString(version),
    modules: [
      { subpath: ".", file: "index" },
      ...PUBLIC.map((file) => ({ subpath: `./${file}`, file })),
      ...["types", "validators", "versions"].map((file) => ({
        subpath: `./common/${file}`,
        file: `common/${file}`,
      })),
      ...plan.extensions.map(({ bundled }) => ({
        subpath: `./extensions/${bundled}`,
        file: `extensions/${bundled}/index`,
      })),
      ...behavioursOf(plan).map((name) => ({ subpath: `./${name}`, file: name })),
      ...ids.map((id) => ({ subpath: `./${id}`, file: `revisions/${id}` })),
    ],
    dependencies: needed.map((name, index) => {
      const comma = index === needed.length - 1 ? "" : ",";
      return `${escapeString(`@mcp-codegen/${name}`)}: ${escapeString(range(name))}${comma}`;
    }),
  };
  return { path: "package.json", text: renderTemplate("universal/package.json", view) };
}

function emitReadme(plan: UniversalPlan): OutputFile {
  const { packageName, newest, protocols, ownSchemas } = plan;
  const view = {
    origin: origin(plan).replaceAll("--", "&#45;&#45;"),
    packageName,
    isVendored: plan.isVendored ?? false,
    hasOwn: ownSchemas.length > 0,
    own: ownSchemas.map((name) => `\`../${name}\``).join(", "),
    installed: plan.isVendored ? "path/to/this/folder" : packageName,
    newest,
    revisions: protocols.map(({ revision }) => revision),
    list: protocols.map(({ revision }) => revision).join(", "),
    command: command(plan),
  };
  return { path: "README.md", text: renderTemplate("universal/README.md", view) };
}
