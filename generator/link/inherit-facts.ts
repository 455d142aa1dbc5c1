import type { SchemaModel } from "../model/schema-model.js";
import { Shapes } from "../model/shape.js";
import type { Evidence, FactRow, Facts, InheritedFacts } from "./facts.js";
import { factProblems } from "./link.js";
import type { Role } from "./protocol.js";
import { roleOf } from "./messages.js";

/**
 * The lists that a revision inherits. All other lists concern one file, an extension, or the step from the previous
 * revision.
 */
const LISTS = [
  "errorCodes",
  "capabilities",
  "conditions",
  "directions",
  "traits",
  "conventions",
  "headers",
  "nameHeaders",
  "paramHeaders",
  "formats",
  "accepted",
] as const;

type List = (typeof LISTS)[number];

/**
 * Returns true if a schema is a revision of the same protocol: it has the same lifecycle as the earlier one, and at
 * least half of the earlier one's methods.
 */
export function isRevisionOf(model: SchemaModel, earlier: SchemaModel): boolean {
  const [own, known] = [methodsOf(model), methodsOf(earlier)];
  const shared = [...known].filter((method) => own.has(method)).length;
  return openingOf(model) === openingOf(earlier) && shared * 2 >= known.size;
}

function openingOf({ declarations }: SchemaModel): Role | undefined {
  const roles = declarations.map(({ name }) => roleOf(name));
  return roles.find((role) => role === "discover" || role === "initialize");
}

function methodsOf({ declarations }: SchemaModel): ReadonlySet<unknown> {
  const shapes = new Shapes(declarations);
  const methods = declarations
    .filter(({ kind }) => kind !== "const")
    .map(({ name }) => shapes.memberLiteral(shapes.named(name)?.members.get("method")));
  return new Set(methods.filter((method) => typeof method === "string"));
}

/**
 * Returns an earlier revision's facts, without those that linking rejects for this schema, for example because a method
 * was removed or because the schema itself now states the fact.
 */
export function inheritFacts(model: SchemaModel, revision: string, earlier: Facts): InheritedFacts {
  const { name, specification, keywords } = earlier;
  const page = specification?.replace(earlier.revision, revision);
  let facts: Facts = {
    revision,
    ...(name !== undefined && { name }),
    ...(page !== undefined && { specification: page }),
    ...(keywords && { keywords }),
    ...(earlier.revision !== revision && { previous: earlier.revision }),
    ...mapLists(earlier, (rows) => rows),
  };
  const dropped: (FactRow & { reason: string })[] = [];
  // Linking is repeated, because one rejected fact can hide a problem with another, such as a second fact about the
  // same subject.
  for (let before = -1; dropped.length > before;) {
    before = dropped.length;
    const problems = factProblems(model, { revision, facts });
    const reasons = new Map(
      problems.map(({ fact, message }) => [fact!.slice(0, 2).join(), message]),
    );
    const kept = mapLists(facts, (rows, list) =>
      rows.filter((row, index) => {
        const reason = reasons.get(`${list},${index}`);
        if (reason !== undefined) dropped.push({ list, about: aboutOf(row), reason });
        return reason === undefined;
      }),
    );
    facts = { ...facts, ...kept };
  }
  const rows = LISTS.flatMap((list) =>
    rowsOf(facts, list).map((row) => ({ list, about: aboutOf(row) })),
  );
  return { from: earlier.revision, facts, rows, dropped };
}

function mapLists(
  facts: Facts,
  change: (rows: readonly Row[], list: List) => readonly Row[],
): Partial<Facts> {
  const present = LISTS.filter((list) => facts[list] !== undefined);
  return Object.fromEntries(present.map((list) => [list, change(rowsOf(facts, list), list)]));
}

function rowsOf(facts: Facts, list: List): readonly Row[] {
  return (facts[list] ?? []) as readonly unknown[] as readonly Row[];
}

type Row = Evidence & Readonly<Record<string, unknown>>;

function aboutOf({ method, member, place, format, header, ...row }: Row): string {
  const { convention, trait, name, about } = row;
  const parts = [method, member, place, format, header, convention, trait, name, about];
  return parts.filter((part) => part !== undefined).join(" ");
}
