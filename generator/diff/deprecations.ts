import type { Protocol } from "../link/protocol.js";
import type { Declaration, Doc, Member, TypeExpression } from "../model/schema-model.js";

/** Types and members that are newly deprecated. */
export function deprecations(before: Protocol, after: Protocol): string[] {
  const [old, now] = [before, after].map(
    ({ declarations }) => new Map(declarations.flatMap(places)),
  );
  return [...now!].flatMap(([place, deprecated]) =>
    deprecated && old!.get(place) === false ? [place] : [],
  );
}

type Place = readonly [path: string, deprecated: boolean];

function places(declaration: Declaration): Place[] {
  const { name, doc } = declaration;
  const self: Place = [name, isDeprecated(doc)];
  if (declaration.kind === "interface") return [self, ...inMembers(name, declaration.members)];
  return declaration.kind === "alias" ? [self, ...inType(name, declaration.type)] : [self];
}

function inMembers(path: string, members: readonly Member[]): Place[] {
  return members.flatMap(({ name, type, doc }): Place[] => {
    const place = `${path}.${name}`;
    return [[place, isDeprecated(doc)], ...inType(place, type)];
  });
}

function inType(path: string, type: TypeExpression): Place[] {
  if (type.kind === "object") return inMembers(path, type.members);
  return type.kind === "intersection" ? type.members.flatMap((one) => inType(path, one)) : [];
}

function isDeprecated(doc: Doc | undefined): boolean {
  return doc?.tags.some(({ name }) => name === "deprecated") ?? false;
}
