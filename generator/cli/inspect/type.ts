import { memberText, typeText } from "../../diff/type-text.js";
import type { Protocol } from "../../link/protocol.js";
import type { Declaration } from "../../model/schema-model.js";
import { type EffectiveShape, Shapes } from "../../model/shape.js";
import { namesIn } from "../../model/walk.js";
import type { Outcome } from "../outcome.js";
import { alignRows } from "../table.js";
import { paint, type Text } from "../text.js";
import { describe } from "./method.js";

/** One declaration: its members with those that it inherits, and who uses it. */
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

/** Methods that carry the type, and declarations that name it, in source order. */
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
