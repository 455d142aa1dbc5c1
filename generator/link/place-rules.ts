import type { EffectiveShape } from "../model/shape.js";
import type { LinkContext } from "./context.js";
import type { Facts } from "./facts.js";
import { locate } from "./json-position.js";
import type { PlaceRule, Protocol, SynthesizedType } from "./protocol.js";

const LISTS = ["rules", "places"] as const;

/** Facts about the translation of messages, with their positions. */
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

/** Reports facts about places that the schema does not declare. */
export function checkPlaces(synthesized: readonly SynthesizedType[], context: LinkContext): void {
  for (const list of LISTS) {
    context.facts[list]?.forEach(({ place }, index) => {
      const [type, member] = place.replaceAll("[]", "").split(".") as [string, string?];
      const made = synthesized.find(({ name }) => name === type);
      const shape = made ? shapeOf(made, context) : context.shapes.named(type);
      const isKnown = made !== undefined || context.shapes.declaration(type) !== undefined;
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
