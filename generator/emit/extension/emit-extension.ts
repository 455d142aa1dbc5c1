import { packageRange } from "../../plan/package-range.js";
import type { ExtensionPlan, MessageConstant } from "../../plan/extension-plan.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { renderTemplate } from "../template.js";
import { command, header, origin, revisionValidator } from "./header.js";
import { emitMessages } from "./messages.js";
import { packageOf, proseCodes } from "../package-files.js";
import {
  type Code,
  code,
  EMPTY,
  escapeString,
  identifier,
  importValue,
  join,
  literal,
  memberName,
  objectKey,
} from "../printer/code.js";
import { docText } from "../printer/doc.js";
import { codeCell, codeSpan } from "../printer/page-text.js";
import { printModule } from "../printer/module.js";
import { additionTypes, additionValues } from "./additions.js";
import { namesIn } from "../../model/walk.js";
import { declarations } from "../types.js";
import { Shapes } from "../../model/shape.js";
import { runtimeSymbol } from "../runtime-symbol.js";
import type { Runtime } from "../validators/condition.js";
import { Functions } from "../validators/functions.js";
import { referencedNames } from "../validators/check.js";
import { printFunctions, validatorModule } from "../validators/print-functions.js";
import { printShapes } from "../validators/shapes.js";
import { subjects } from "../validators/subjects.js";

/** Returns the files of an extension's package, before formatting. */
export function emitExtension(plan: ExtensionPlan): OutputFile[] {
  return [
    ...emitExtensionModules(plan),
    emitPackageJson(plan),
    {
      path: "tsconfig.json",
      text: renderTemplate("revision/tsconfig.json", { origin: origin(plan) }),
    },
    emitReadme(plan),
  ];
}

/** Returns an extension's modules without the package files, for use in another package's folder. */
export function emitExtensionModules(plan: ExtensionPlan): OutputFile[] {
  return [emitTypes(plan), ...emitValidators(plan), emitMessages(plan), emitIndex(plan)];
}

export function emitPackageJson(plan: ExtensionPlan): OutputFile {
  const { id, packageName, version, extended, extendedPackage, runtime } = plan;
  const needed = [extendedPackage, packageOf(runtime)].filter((name) => name !== undefined);
  const dependencies = needed.toSorted().map((name, index) => {
    const range = packageRange(name, plan);
    const comma = index === needed.length - 1 ? "" : ",";
    return `${escapeString(name)}: ${escapeString(range)}${comma}`;
  });
  const view = {
    origin: escapeString(origin(plan)),
    name: escapeString(packageName),
    version: escapeString(version),
    description: escapeString(
      `The extension ${id} of the Model Context Protocol, revision ${extended.revision}: types, validators and messages.`,
    ),
    modules: [
      { subpath: ".", file: "index" },
      ...["types", "validators", "messages"].map((file) => ({ subpath: `./${file}`, file })),
    ],
    dependencies,
  };
  return { path: "package.json", text: renderTemplate("extension/package.json", view) };
}

export function emitReadme(plan: ExtensionPlan): OutputFile {
  const { id, packageName, extended, messages } = plan;
  const view = {
    origin: origin(plan).replaceAll("--", "&#45;&#45;"),
    id,
    packageName,
    revision: extended.revision,
    messages: messages.map(row),
    hasMessages: messages.length > 0,
    command: codeSpan(command(plan)),
  };
  return { path: "README.md", text: renderTemplate("extension/README.md", view) };
}

function row({ name, method }: MessageConstant): string {
  const sender = { client: "client", server: "server", both: "both sides" }[method.from];
  return `| ${codeCell(method.method)} | ${method.kind} | ${sender} | \`${name}\` |`;
}

export function emitIndex(plan: ExtensionPlan): OutputFile {
  const { id, messages } = plan;
  const ofKind = (kind: MessageConstant["method"]["kind"]): MessageConstant[] =>
    messages.filter(({ method }) => method.kind === kind);
  const requests = ofKind("request");
  const notifications = ofKind("notification");
  const doc = docText(
    `The extension \`${id}\`: for \`registerExtension()\` of a server, and the option \`extensions\` of a client.`,
  );
  const body = code`export * from "./messages.js";
export * from "./types.js";
export * as validators from "./validators.js";

${doc}export const extension: {
  readonly id: ${literal(id)};
  readonly requests: ${types(requests)};
  readonly notifications: ${types(notifications)};${additionTypes(plan)}
} = {
  id: ${literal(id)},
  requests: ${values(requests)},
  notifications: ${values(notifications)},${additionValues(plan)}
};`;
  return { path: "index.ts", text: printModule(header(plan), body) };
}

function types(messages: readonly MessageConstant[]): Code {
  const members = messages.map(
    ({ name, method }) => code`readonly ${memberName(method.method)}: typeof ${identifier(name)};`,
  );
  return braces(members);
}

function values(messages: readonly MessageConstant[]): Code {
  const members = messages.map(
    ({ name, method }) => code`${objectKey(method.method)}: ${importValue(name, "./messages.js")},`,
  );
  return braces(members);
}

function braces(members: readonly Code[]): Code {
  return members.length === 0 ? code`{}` : code`{\n${join(members, code`\n`)}\n}`;
}

export function emitTypes(plan: ExtensionPlan): OutputFile {
  const body = code`${imports(plan)}${declarations({ ...plan.protocol, shapes: plan.shapes })}${proseCodes(plan.protocol)}`;
  return { path: "types.ts", text: printModule(header(plan), body) };
}

function imports({ protocol, elsewhere, extendedPackage }: ExtensionPlan): Code {
  const needed = new Set(protocol.declarations.flatMap((declaration) => [...namesIn(declaration)]));
  const names = [...needed]
    .filter((name) => elsewhere.has(name))
    .map((name) => ({ here: name, there: elsewhere.get(name)! }))
    .toSorted((a, b) => (a.here < b.here ? -1 : 1))
    .map(({ here, there }) =>
      here === there ? identifier(here) : code`${identifier(there)} as ${identifier(here)}`,
    );
  if (names.length === 0) return EMPTY;
  const from = literal(`${extendedPackage}/types`);
  return code`import type { ${join(names, code`, `)} } from ${from};\n\n`;
}

/**
 * Emits validators.ts and shapes.ts for the types that the extension declares. All other types use the revision's
 * validators.
 */
export function emitValidators(plan: ExtensionPlan): OutputFile[] {
  const { protocol, elsewhere } = plan;
  const runtime: Runtime = (name) => runtimeSymbol(plan, name);
  const found = subjects(
    { ...protocol, declarations: plan.declarations },
    new Shapes(plan.declarations),
  );
  const others = new Map(
    [...elsewhere].map(([here, there]) => [here, revisionValidator(there, plan)]),
  );
  const functions = new Functions(found, others);
  const own = [...found.exported].filter(([name]) => !elsewhere.has(name));
  const described = [...functions.declarations].filter(([name]) => !elsewhere.has(name));
  const referenced = referencedNames(described.map(([, check]) => check));
  const foreign = new Map([...others].filter(([name]) => referenced.has(name)));
  const names = described.map(([name]) => name);
  const validators = validatorModule(printFunctions(own, found.described, functions, runtime));
  const shapes = printShapes(names, found.described, functions, runtime, foreign);
  return [
    { path: "validators.ts", text: printModule(header(plan), validators) },
    { path: "shapes.ts", text: printModule(header(plan), shapes) },
  ];
}
