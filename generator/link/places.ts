import type { EffectiveShape } from "../model/shape.js";
import type { LinkContext } from "./context.js";
import type { Facts, FormatFact } from "./facts.js";
import { locate } from "./json-position.js";
import type { PlaceRule, Protocol, SynthesizedType, FormatRule } from "./protocol.js";
import type { Declaration, Member } from "../model/schema-model.js";
import { typesIn } from "../model/walk.js";

const LISTS = ["rules", "places"] as const;

export function placeRules(facts: Facts): Pick<Protocol, "places"> {
  const { origin } = facts;
  const places = LISTS.flatMap((list) =>
    (facts[list] ?? []).map((fact, index): PlaceRule => {
      if (!origin) return { fact };
      return { fact, file: origin.file, span: locate(origin.text, [list, index]) };
    }),
  );
  return places.length > 0 ? { places } : {};
}

export function checkPlaces(synthesized: readonly SynthesizedType[], context: LinkContext): void {
  for (const list of LISTS) {
    context.facts[list]?.forEach(({ place }, index) => {
      const [type, member] = place.replaceAll("[]", "").split(".") as [string, string?];
      const added = synthesized.find(({ name }) => name === type);
      const shape = added ? shapeOf(added, context) : context.shapes.named(type);
      const isKnown = added !== undefined || context.shapes.declaration(type) !== undefined;
      if (isKnown && (member === undefined || !shape || shape.members.has(member))) return;
      context.report({
        code: "MCG3062",
        message: `The fact is about the place ${place}, which this schema does not declare.`,
        hint: "Correct the name, or remove the fact.",
        fact: [list, index],
      });
    });
  }
}

function shapeOf(
  { owner, member }: SynthesizedType,
  { shapes }: LinkContext,
): EffectiveShape | undefined {
  const type = shapes.named(owner)?.members.get(member)?.types[0]?.type;
  return type && shapes.of(type);
}

export function formatRules(facts: readonly FormatFact[] = []): FormatRule[] {
  return facts.map(({ place, format, members }) => {
    const [type, path] = place.split(".") as [string, string];
    return {
      ...(type !== "*" && { type }),
      member: path.replace("[]", ""),
      isItem: path.endsWith("[]"),
      format: members ? `${format}:${members.join(",")}` : format,
    };
  });
}

export function checkFormats(context: LinkContext): void {
  const { declarations } = context.model;
  formatRules(context.facts.formats).forEach(({ type, member, format }, index) => {
    const owners = declarations.filter(({ name }) => type === undefined || name === type);
    const found = owners.flatMap(membersOf).filter(({ name }) => name === member);
    const isStated = found.some(({ constraints }) => constraints?.format === format);
    if (found.length > 0 && !isStated) return;
    const place = `${type ?? "*"}.${member}`;
    context.report({
      code: "MCG3062",
      message: isStated
        ? `The fact states the format of ${place}, which the schema already states.`
        : `The fact is about the format of ${place}, which this schema does not declare.`,
      hint: isStated ? "Remove the fact." : "Correct the name, or remove the fact.",
      fact: ["formats", index],
    });
  });
}

function membersOf(declaration: Declaration): Member[] {
  const inner = [...typesIn(declaration)].flatMap((type) =>
    type.kind === "object" ? type.members : [],
  );
  return declaration.kind === "interface" ? [...declaration.members, ...inner] : inner;
}
