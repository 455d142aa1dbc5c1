import type { Method } from "../link/protocol.js";
import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { alignColumns, renderTemplate } from "./template.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import { PAYLOADS } from "./validators/functions.js";
import {
  type Code,
  code,
  identifier,
  importNamespace,
  join,
  literal,
  objectKey,
} from "./printer/code.js";
import { Imports, print } from "./printer/module.js";
import type { MethodFamily } from "@mcp-codegen/runtime";
import { deprecation } from "./method-doc.js";

export function emitMethods(plan: RevisionPlan): OutputFile {
  const { protocol } = plan;
  const imports = new Imports();
  const text = (part: Code): string => print(part, imports);
  const rows = (kind: Method["kind"]): string[] => {
    const own = protocol.methods.filter((method) => method.kind === kind);
    return alignColumns(own.map((method) => methodRow(method, plan).map(text)));
  };
  const conditional = protocol.methods.filter(({ conditions }) => conditions.length > 0);
  const hasFamilies = plan.families.length > 0;
  const { requestParams, notificationParams } = protocol.envelope;
  const view = {
    header: header(plan),
    revisionType: text(code`${runtimeSymbol(plan, "Revision")}`),
    methodTable: text(code`${runtimeSymbol(plan, "methodTable")}`),
    hasConditions: conditional.length > 0,
    conditions: conditional.map(({ method, conditions }) =>
      text(code`${objectKey(method)}: ${literal(conditions.map((one) => ({ ...one })))},`),
    ),
    requests: rows("request"),
    notifications: rows("notification"),
    hasFamilies,
    familiesMember: hasFamilies ? "families" : "families: []",
    familiesType: hasFamilies ? text(code`${runtimeSymbol(plan, "MethodFamily")}`) : "",
    families: alignColumns(plan.families.map(familyRow)),
    id: text(literal(protocol.revision)),
    traits: text(literal({ ...protocol.traits })),
    conventions: text(literal({ ...protocol.conventions })),
    errorCodes: protocol.errorCodes.map(({ name, code: value }) =>
      text(code`${objectKey(name)}: ${literal(value)},`),
    ),
    shared: Object.entries({ requestParams, notificationParams }).flatMap(([member, type]) =>
      type === undefined ? [] : [text(code`${objectKey(member)}: ${validator(type)},`)],
    ),
  };
  return {
    path: "methods.ts",
    text: renderTemplate("revision/methods.ts", { ...view, imports: imports.toString() }),
  };
}

const VALIDATORS = importNamespace("v", PAYLOADS);

export function validator(type: string): Code {
  return code`${VALIDATORS}.${identifier(type)}`;
}

/**
 * Returns the cells of one row of the dispatch table. Together they form a call of `request` or `notification`:
 *
 * `request("tools/call", "client", v.CallToolRequestParams, v.CallToolResult, { capability: "server.tools" }),`
 */
export function methodRow(method: Method, plan: RevisionPlan): readonly Code[] {
  const row = code`${runtimeSymbol(plan, method.kind)}(${literal(method.method)}`;
  const cells = [row, literal(method.from), paramsCell(method, plan)];
  if (method.result) cells.push(validator(method.result.type));
  const extras = entries(method, plan);
  if (extras.length > 0) cells.push(code`{ ${join(extras, code`, `)} }`);
  return cells.map((cell, index) => code`${cell}${index < cells.length - 1 ? code`,` : code`),`}`);
}

function paramsCell({ params }: Method, plan: RevisionPlan): Code {
  if (params === undefined) return code`undefined`;
  if (!params.optional) return validator(params.type);
  return code`${runtimeSymbol(plan, "optional")}(${validator(params.type)})`;
}

function entries(method: Method, plan: RevisionPlan): Code[] {
  const { channel, role, capability, declares, conditions, result, paginated, cacheable } = method;
  const { nameHeader, paramHeaders } = method;
  const alternative = (when: "task" | "input_required"): Code | undefined => {
    const found = result?.alternatives.find((candidate) => candidate.when === when);
    return found && validator(found.type);
  };
  const advice = deprecation(method, plan);
  const extras: Readonly<Record<string, Code | undefined>> = {
    channel: channel === "wire" ? undefined : literal(channel),
    role: role && literal(role),
    capability: capability === undefined ? undefined : literal(capability),
    declares: declares && literal(declares),
    conditions: conditions.length === 0 ? undefined : code`conditions[${literal(method.method)}]`,
    taskResult: alternative("task"),
    inputResult: alternative("input_required"),
    paginated: paginated ? literal(true) : undefined,
    cacheable: cacheable ? literal(true) : undefined,
    deprecated: advice === undefined ? undefined : literal(advice),
    nameHeader: nameHeader === undefined ? undefined : literal(nameHeader),
    paramHeaders: paramHeaders === undefined ? undefined : literal(paramHeaders),
  };
  return Object.entries(extras).flatMap(([name, value]) =>
    value === undefined ? [] : [code`${objectKey(name)}: ${value}`],
  );
}

export function familyRow({
  name,
  noun,
  list,
  kind,
  from,
  key,
  ...others
}: MethodFamily): string[] {
  const [first = "", ...next] = Object.entries({ name, noun, list, kind, from, key }).map(
    memberText,
  );
  const rest = Object.entries(others).map(memberText).join(" ");
  return [`{ ${first}`, ...next, rest === "" ? "}," : rest.replace(/,$/, " },")];
}

function memberText([name, value]: [string, string]): string {
  return print(code`${objectKey(name)}: ${literal(value)},`, new Imports());
}
