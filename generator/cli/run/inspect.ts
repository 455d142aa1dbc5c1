import type { Diagnostics } from "../../diagnostics.js";
import { NAME_HEADER, PARAM_HEADERS } from "../../link/headers.js";
import type { Method, Protocol, SynthesizedType } from "../../link/protocol.js";
import type { Context, Values } from "../command.js";
import type { Outcome } from "../outcome.js";
import { readProtocol } from "../read-protocol.js";
import { suggest } from "../suggest.js";
import { alignRows, count, paint, type Text } from "../text.js";
import { valueText, conditionText, memberText, typeText } from "../../diff/type-text.js";
import type { Declaration } from "../../model/schema-model.js";
import { type EffectiveShape, Shapes } from "../../model/shape.js";
import { namesIn } from "../../model/walk.js";

export function runInspect(values: Values, { diagnostics }: Context): Outcome | undefined {
  const read = readProtocol(values.text("revision") ?? "", values.text("facts"), diagnostics);
  const name = values.text("name");
  if (read === undefined) return undefined;
  return name === undefined
    ? overview(read.protocol)
    : inspectNamed(name, read.protocol, diagnostics);
}

function inspectNamed(
  name: string,
  protocol: Protocol,
  diagnostics: Diagnostics,
): Outcome | undefined {
  const { methods, declarations, synthesized, revision } = protocol;
  const method = methods.find((candidate) => candidate.method === name);
  if (method) return inspectMethod(method, protocol);
  const declaration = declarations.find((candidate) => candidate.name === name);
  if (declaration) return inspectType(declaration, protocol);
  const synthetic = synthesized.find((candidate) => candidate.name === name);
  if (synthetic) return inspectSynthesized(synthetic, protocol);
  const known = [
    ...methods.map((candidate) => candidate.method),
    ...[...declarations, ...synthesized].map((candidate) => candidate.name),
  ];
  diagnostics.add({
    code: "MCG0005",
    severity: "error",
    message: `${revision} has no type or method "${name}".`,
    hint: suggest(name, known) ?? `"mcp-codegen inspect ${revision}" lists the methods.`,
  });
  return undefined;
}

/** Describes a parameter type that is declared inline, and has no name in the schema, by where it is declared. */
function inspectSynthesized(
  { name, owner, member }: SynthesizedType,
  { revision }: Protocol,
): Outcome {
  return {
    data: { revision, parameters: { name, owner, member } },
    lines: [[paint("dim", "type "), paint("bold", name), ` = ${owner}["${member}"]`]],
    summary: `The schema declares it inline: see "mcp-codegen inspect ${revision} ${owner}".`,
  };
}

export function overview(protocol: Protocol): Outcome {
  const { revision, source, traits, conventions, methods, declarations } = protocol;
  const requests = methods.filter(({ kind }) => kind === "request").length;
  const counts = {
    requests,
    notifications: methods.length - requests,
    declarations: declarations.length,
  };
  return {
    data: { revision, source, traits, conventions, counts, methods: methods.map(methodToJson) },
    lines: [
      [paint("bold", revision), `  ${source.file}, sha256 ${source.sha256.slice(0, 16)}…`],
      `${count(requests, "request")}, ${count(counts.notifications, "notification")}, ${count(declarations.length, "declaration")}`,
      paint("dim", listed(traits)),
      paint("dim", listed(conventions)),
      ...sections(methods),
    ],
  };
}

function listed(values: object): string {
  const members = Object.entries(values).map(([name, value]) => `${name}: ${valueText(value)}`);
  return members.join(" · ");
}

function sections(methods: readonly Method[]): Text[] {
  return (["request", "notification"] as const).flatMap((kind) =>
    (["client", "server", "both"] as const).flatMap((from) => {
      const own = methods.filter((method) => method.kind === kind && method.from === from);
      if (own.length === 0) return [];
      const isRequest = kind === "request";
      const head = ["Method", "Parameters", ...(isRequest ? ["Result"] : []), "Capability"];
      const [header, ...rows] = alignRows([head, ...own.map((method) => row(method, isRequest))]);
      const title = `${isRequest ? "Requests" : "Notifications"} from ${SENDERS[from]}`;
      return ["", paint("bold", title), paint("dim", header ?? ""), ...rows];
    }),
  );
}

function row(method: Method, isRequest: boolean): string[] {
  const { capability = "", channel, deprecated } = method;
  const notes = [
    ...(channel === "embedded" ? ["inside results"] : []),
    ...(deprecated ? ["deprecated"] : []),
  ];
  const name = notes.length === 0 ? method.method : `${method.method} (${notes.join(", ")})`;
  return [name, paramsText(method), ...(isRequest ? [resultText(method)] : []), capability];
}

export function inspectMethod(method: Method, protocol: Protocol): Outcome {
  const declaration = protocol.declarations.find(({ name }) => name === method.type);
  const rows: [string, string][] = [
    ["Kind", method.deprecated ? `${method.kind}, deprecated` : method.kind],
    ["Sent by", SENDERS[method.from] + (method.channel === "embedded" ? ", inside a result" : "")],
    ["Type", method.type],
    ["Parameters", paramsText(method) || "none"],
    ...(method.result ? [["Result", resultText(method)] as [string, string]] : []),
    ["Capability", method.capability ?? "none"],
    ...method.conditions.map((condition): [string, string] => ["", conditionText(condition)]),
    ["Paginated", method.paginated ? "yes" : "no"],
    ...(method.nameHeader ? [[NAME_HEADER, method.nameHeader] as [string, string]] : []),
    ...(method.paramHeaders
      ? [[PARAM_HEADERS, `by the schemas of ${method.paramHeaders}`] as [string, string]]
      : []),
    ...(method.role ? [["Role", `${method.role}, handled by the engine`] as [string, string]] : []),
  ];
  return {
    data: { revision: protocol.revision, method: methodToJson(method) },
    lines: [
      paint("bold", method.method),
      ...describe(declaration?.doc?.text),
      "",
      ...alignRows(rows),
    ],
  };
}

const SENDERS = { client: "the client", server: "the server", both: "both sides" } as const;

export function describe(text: string | undefined): readonly Text[] {
  return text ? text.split("\n").map((line) => `  ${line}`.trimEnd()) : [];
}

export function paramsText({ params }: Method): string {
  return params ? `${params.type}${params.optional ? "?" : ""}` : "";
}

export function resultText({ result }: Method): string {
  return result ? [result.type, ...result.alternatives.map(({ type }) => type)].join(" | ") : "";
}

/** Converts a method to JSON, without the members that only the generator needs. */
export function methodToJson(method: Method): object {
  const { base: _base, ...shown } = method;
  return shown;
}

export function inspectType(declaration: Declaration, protocol: Protocol): Outcome {
  const { name, kind, doc, span } = declaration;
  const shape = new Shapes(protocol.declarations).named(name);
  const users = usersOf(name, protocol);
  const heritage = declaration.kind === "interface" ? declaration.extends.map(typeText) : [];
  const text = declaration.kind === "alias" ? typeText(declaration.type) : undefined;
  const value = declaration.kind === "const" ? declaration.value : undefined;
  const members = membersToJson(shape);
  return {
    data: {
      revision: protocol.revision,
      type: {
        kind,
        name,
        line: span.line,
        description: doc?.text,
        extends: heritage,
        text,
        value,
        members,
        index: shape?.indexes.map((index) => typeText(index.type)),
        usedBy: users,
      },
    },
    lines: [
      [paint("dim", `${KEYWORDS[kind]} `), paint("bold", name), definition(heritage, text, value)],
      ...describe(doc?.text),
      ...(shape ? memberLines(name, shape) : []),
      ...userLines(users),
    ],
    summary: `${protocol.source.file}:${span.line}:${span.column}`,
  };
}

const KEYWORDS = { interface: "interface", alias: "type", const: "const" } as const;

function definition(heritage: readonly string[], text?: string, value?: string | number): string {
  if (value !== undefined) return ` = ${JSON.stringify(value)}`;
  if (text !== undefined) return ` = ${text}`;
  return heritage.length > 0 ? ` extends ${heritage.join(", ")}` : "";
}

function membersToJson(shape: EffectiveShape | undefined): readonly object[] | undefined {
  return (
    shape &&
    [...shape.members.values()].map((member) => {
      const { name, optional, from, doc } = member;
      return { name, optional, type: memberText(member), from, description: doc?.text };
    })
  );
}

function memberLines(owner: string, { members, indexes }: EffectiveShape): readonly Text[] {
  const rows = [...members.values()].map((member) => [
    `  ${member.name}${member.optional ? "?" : ""}`,
    member.from === owner || member.from === "" ? "" : `from ${member.from}`,
    memberText(member),
  ]);
  const open = indexes.map((index) => ["  [any other]", "", typeText(index.type)]);
  return rows.length + open.length === 0
    ? ["", "No members of its own; any are allowed."]
    : ["", paint("bold", "Members"), ...alignRows([...rows, ...open])];
}

interface Users {
  readonly methods: readonly string[];
  readonly types: readonly string[];
}

function usersOf(name: string, { methods, declarations }: Protocol): Users {
  const carriers = methods.filter(({ type, params, result }) =>
    [
      type,
      params?.type,
      result?.type,
      ...(result?.alternatives ?? []).map((other) => other.type),
    ].includes(name),
  );
  const types = declarations.filter(
    (other) => other.name !== name && [...namesIn(other)].includes(name),
  );
  return { methods: carriers.map(({ method }) => method), types: types.map((other) => other.name) };
}

function userLines({ methods, types }: Users): readonly Text[] {
  return [...nameLines("Methods", methods), ...nameLines("Used by", types)];
}

function nameLines(title: string, names: readonly string[]): readonly Text[] {
  return names.length === 0 ? [] : ["", paint("bold", title), `  ${names.join(", ")}`];
}
