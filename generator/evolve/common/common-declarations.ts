import type { Protocol } from "../../link/protocol.js";
import type {
  AliasDeclaration,
  Declaration,
  InterfaceDeclaration,
  ObjectShape,
  TypeExpression,
} from "../../model/schema-model.js";
import { Shapes } from "../../model/shape.js";
import { Comparison } from "./comparison.js";
import { withoutEnvelope } from "./without-envelope.js";

/**
 * Returns types that accept the messages of every revision, based on the newest definition of each name. Members that a
 * revision lacks or does not require are optional, members of older revisions are added, and the unions of messages
 * include those of all revisions. Requests and notifications have neither `jsonrpc` nor `id`.
 *
 * @param protocols - the protocols, oldest first
 */
export function commonDeclarations(protocols: readonly Protocol[]): Declaration[] {
  const revisions = protocols.map(withoutEnvelope).toReversed();
  const newest = new Map<string, Declaration>();
  for (const declaration of revisions.flat()) {
    if (!newest.has(declaration.name)) newest.set(declaration.name, declaration);
  }
  const comparison = new Comparison(newest);
  for (const shapes of revisions.map((declarations) => new Shapes(declarations))) {
    for (const now of newest.values()) {
      if (now.kind === "interface" && shapes.declaration(now.name) !== now) {
        comparison.interfaces(now, shapes);
      }
    }
  }
  const aggregates = new Set(protocols.flatMap((protocol) => Object.keys(protocol.aggregates)));
  return [...newest.values()].map((declaration) => {
    if (declaration.kind === "interface") return merged(declaration, comparison, newest);
    if (declaration.kind === "const" || !aggregates.has(declaration.name)) return declaration;
    return united(declaration, revisions);
  });
}

function merged(
  declaration: InterfaceDeclaration,
  comparison: Comparison,
  newest: ReadonlyMap<string, Declaration>,
): InterfaceDeclaration {
  const inherited = (name: string): boolean =>
    ancestors(declaration, newest).some((base) => comparison.added.get(base)?.has(name));
  const { members, ...rest } = object(declaration, comparison);
  const own = members.filter(
    (member) => !comparison.added.get(declaration)?.has(member.name) || !inherited(member.name),
  );
  return { ...rest, members: own };
}

function ancestors(
  declaration: InterfaceDeclaration,
  newest: ReadonlyMap<string, Declaration>,
): InterfaceDeclaration[] {
  return declaration.extends.flatMap((base) => {
    const found = base.kind === "reference" ? newest.get(base.name) : undefined;
    return found?.kind === "interface" ? [found, ...ancestors(found, newest)] : [];
  });
}

function object<Shape extends ObjectShape>(shape: Shape, comparison: Comparison): Shape {
  const members = shape.members.map((member) => ({
    ...member,
    optional: member.optional || comparison.optional.has(member),
    type: type(member.type, comparison),
  }));
  return { ...shape, members: [...members, ...(comparison.added.get(shape)?.values() ?? [])] };
}

function type(original: TypeExpression, comparison: Comparison): TypeExpression {
  if (original.kind === "object") return object(original, comparison);
  if (original.kind === "array")
    return { ...original, element: type(original.element, comparison) };
  return original;
}

function united(
  declaration: AliasDeclaration,
  revisions: readonly (readonly Declaration[])[],
): AliasDeclaration {
  const arms = new Map<string, TypeExpression>();
  for (const older of revisions.flat()) {
    if (older.kind !== "alias" || older.name !== declaration.name) continue;
    const members = older.type.kind === "union" ? older.type.members : [older.type];
    for (const arm of members) if (arm.kind === "reference") arms.set(arm.name, arm);
  }
  if (arms.size < 2) return declaration;
  const { span } = declaration.type;
  return { ...declaration, type: { kind: "union", members: [...arms.values()], span } };
}
