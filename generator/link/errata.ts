import type {
  Declaration,
  Member,
  ReferenceType,
  SchemaModel,
  Doc,
} from "../model/schema-model.js";
import type { Erratum, Facts, Problem } from "./facts.js";

export interface CorrectedModel {
  readonly model: SchemaModel;
  readonly problems: readonly Problem[];
}

/**
 * Applies the errata for this exact file, which is identified by its digest. Published schemas are edited after their
 * release, so a revision's name does not show which errors a copy contains.
 */
export function correct(model: SchemaModel, { errata = [] }: Facts): CorrectedModel {
  const problems: Problem[] = [];
  let declarations = model.declarations;
  errata.forEach((erratum, index) => {
    if (erratum.sha256 !== model.sha256) return;
    let applied = false;
    declarations = declarations.map((declaration) => {
      if (declaration.name !== erratum.declaration) return declaration;
      const corrected = addArms(constrain(declaration, erratum), erratum);
      applied ||= corrected !== declaration;
      return corrected;
    });
    if (!applied) {
      problems.push({
        code: "MCG3064",
        message: `The erratum about ${erratum.declaration} changes nothing in this file.`,
        hint: "Correct its declaration, members or arms, or remove it.",
        fact: ["errata", index],
      });
    }
  });
  return { model: { ...model, declarations }, problems };
}

function addArms(declaration: Declaration, { arms = [] }: Erratum): Declaration {
  if (declaration.kind !== "alias") return declaration;
  const { type } = declaration;
  const members = type.kind === "union" ? type.members : [type];
  const missing = arms.filter(
    (name) => !members.some((member) => member.kind === "reference" && member.name === name),
  );
  if (missing.length === 0) return declaration;
  const added = missing.map((name): ReferenceType => ({
    kind: "reference",
    name,
    span: type.span,
  }));
  return {
    ...declaration,
    type: { kind: "union", members: [...members, ...added], span: type.span },
  };
}

function constrain(declaration: Declaration, erratum: Erratum): Declaration {
  const { members: paths = [], constraints } = erratum;
  if (declaration.kind !== "interface" || !constraints) return declaration;
  const members = paths.reduce<readonly Member[]>(
    (corrected, path) => constrainMember(corrected, path.split("."), constraints),
    declaration.members,
  );
  return members === declaration.members ? declaration : { ...declaration, members };
}

function constrainMember(
  members: readonly Member[],
  [name, ...rest]: readonly string[],
  constraints: NonNullable<Erratum["constraints"]>,
): readonly Member[] {
  const index = members.findIndex((member) => member.name === name);
  const member = members[index];
  if (!member) return members;
  if (rest.length === 0) {
    return members.with(index, {
      ...member,
      constraints: { ...member.constraints, ...constraints },
    });
  }
  if (member.type.kind !== "object") return members;
  const inner = constrainMember(member.type.members, rest, constraints);
  if (inner === member.type.members) return members;
  return members.with(index, { ...member, type: { ...member.type, members: inner } });
}

/** Matches the start of a link whose target is a path, in a `{@link}` tag or in Markdown. */
const LINK = /(\{@link\s+|\]\()(?=\/[^/])/g;

export function withSite(model: SchemaModel, specification: string | undefined): SchemaModel {
  if (specification === undefined) return model;
  const { origin } = new URL(specification);
  const linked = (text: string): string => text.replace(LINK, (start) => start + origin);
  return mapDocs(model, ({ text, tags, ...rest }) => ({
    ...rest,
    text: linked(text),
    tags: tags.map((tag) => ({ ...tag, text: linked(tag.text) })),
  }));
}

function mapDocs<T>(value: T, map: (doc: Doc) => Doc): T {
  if (Array.isArray(value)) return value.map((item) => mapDocs(item as unknown, map)) as T;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    key === "doc" ? map(member as Doc) : mapDocs(member as unknown, map),
  ]);
  return Object.fromEntries(members) as T;
}
