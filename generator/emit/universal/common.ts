import type { Method } from "../../link/protocol.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { RUNTIME } from "../../plan/runtime-imports.js";
import type { UniversalPlan } from "../../plan/universal-plan.js";
import { declarations } from "../types.js";
import { type Code, code, EMPTY, identifier, join, literal, memberName } from "../printer/code.js";
import { docText } from "../printer/doc.js";
import { printModule } from "../printer/module.js";
import { runtimeSymbol } from "../runtime-symbol.js";
import type { Runtime } from "../validators/condition.js";
import { validatorModules } from "../validators/modules.js";
import { header } from "./header.js";

const runtime: Runtime = (name) => runtimeSymbol({ runtime: RUNTIME }, name);

const COMMON = "common";

export function emitCommon(plan: UniversalPlan): OutputFile[] {
  const { common } = plan;
  const modules = {
    types: code`${declarations(common)}${byMethod(common.methods)}`,
    ...validatorModules(common, runtime),
    versions: versions(plan),
  };
  return Object.entries(modules).map(([name, body]) => ({
    path: `${COMMON}/${name}.ts`,
    text: printModule(header(plan), body),
  }));
}

function byMethod(methods: readonly Method[]): Code {
  const ofKind = (kind: Method["kind"]): Method[] =>
    methods.filter((method) => method.kind === kind);
  const requests = ofKind("request");
  return code`${map("RequestsByMethod", "Requests of all revisions, by method.", requests.map(own))}${map(
    "NotificationsByMethod",
    "Notifications of all revisions, by method.",
    ofKind("notification").map(own),
  )}${map(
    "ResultsByMethod",
    "Results of requests of all revisions, by method.",
    requests.map(({ method, result }) =>
      result ? code`${memberName(method)}: ${identifier(result.type)};\n` : EMPTY,
    ),
  )}`;
}

function map(name: string, description: string, rows: readonly Code[]): Code {
  return code`${docText(description)}export interface ${identifier(name)} {\n${rows}}\n\n`;
}

function own({ method, type }: Method): Code {
  return code`${memberName(method)}: ${identifier(type)};\n`;
}

function versions({ protocols }: UniversalPlan): Code {
  const newestFirst = protocols.toReversed();
  const ids = (lifecycle: string): Code => {
    const found = newestFirst.filter(({ traits }) => traits.lifecycle === lifecycle);
    return code`[${join(
      found.map(({ revision }) => literal(revision)),
      code`, `,
    )}]`;
  };
  const assumed = newestFirst.find(
    ({ conventions }) => conventions.http === "streamable" && !conventions.versionHeader,
  );
  return code`${docText("Revisions with sessions, the newest first.")}export const sessionRevisions: readonly string[] = ${ids("initialize")};

${docText("Revisions with stateless conversations, the newest first.")}export const statelessRevisions: readonly string[] = ${ids("discover")};

${docText("Revision of an HTTP request that names no revision; undefined if every request must name one.")}export const revisionWithoutHeader: string | undefined = ${assumed ? literal(assumed.revision) : code`undefined`};`;
}
