import type { Misfit } from "./containment.js";
import type { JsonType, Node } from "./schema-document.js";
import type { SenderView } from "./sender-view.js";

const COUNTS = [
  ["Length", "string", "characters"],
  ["Items", "array", "items"],
  ["Properties", "object", "properties"],
] as const;

export function scalarMisfits(view: SenderView, node: Node, pointer: string): readonly Misfit[] {
  const found: Misfit[] = [];
  const misfit = (keyword: string, message: string, isUndecided = false): void => {
    found.push({
      pointer: `${pointer}/${keyword}`,
      message,
      ...(isUndecided && { undecided: true as const }),
    });
  };
  const has = (...types: JsonType[]): boolean => types.some((type) => view.types.has(type));
  if (has("number", "integer")) numberMisfits(view, node, misfit);
  for (const [noun, type, plural] of COUNTS) {
    if (has(type)) countMisfits(view, node, { noun, plural }, misfit);
  }
  if (has("string")) {
    for (const keyword of ["pattern", "format"]) {
      const required = node[keyword];
      if (typeof required !== "string" || view.all(keyword).includes(required)) continue;
      const isOther = view.all(keyword).length > 0;
      const shown = JSON.stringify(required).slice(0, 60);
      const message = isOther
        ? `undecided: ${keyword} ${shown}`
        : `has to match the ${keyword} ${shown} now`;
      misfit(keyword, message, isOther);
    }
  }
  if (has("array") && node["uniqueItems"] === true && !view.all("uniqueItems").includes(true)) {
    if (!view.numbers("maxItems").some((most) => most <= 1)) {
      misfit("uniqueItems", "items have to be unique now");
    }
  }
  return found;
}

type Report = (keyword: string, message: string, isUndecided?: boolean) => void;

function numberMisfits(view: SenderView, node: Node, misfit: Report): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const lowest = Math.max(-Infinity, ...view.numbers("minimum"));
  const above = Math.max(-Infinity, ...view.numbers("exclusiveMinimum"));
  const highest = Math.min(Infinity, ...view.numbers("maximum"));
  const below = Math.min(Infinity, ...view.numbers("exclusiveMaximum"));
  if (typeof minimum === "number" && lowest < minimum && above < minimum) {
    misfit("minimum", `has to be at least ${minimum} now`);
  }
  if (typeof maximum === "number" && highest > maximum && below > maximum) {
    misfit("maximum", `has to be at most ${maximum} now`);
  }
  if (
    typeof exclusiveMinimum === "number" &&
    lowest <= exclusiveMinimum &&
    above < exclusiveMinimum
  ) {
    misfit("exclusiveMinimum", `has to be above ${exclusiveMinimum} now`);
  }
  if (
    typeof exclusiveMaximum === "number" &&
    highest >= exclusiveMaximum &&
    below > exclusiveMaximum
  ) {
    misfit("exclusiveMaximum", `has to be below ${exclusiveMaximum} now`);
  }
  if (typeof multipleOf !== "number") return;
  const isWhole = !view.types.has("number") && Number.isInteger(1 / multipleOf);
  const isMultiple = view
    .numbers("multipleOf")
    .some((one) => Number.isInteger(one) && Number.isInteger(multipleOf) && one % multipleOf === 0);
  if (isWhole || isMultiple || view.numbers("multipleOf").includes(multipleOf)) return;
  misfit("multipleOf", `has to be a multiple of ${multipleOf} now`);
}

function countMisfits(
  view: SenderView,
  node: Node,
  { noun, plural }: { readonly noun: string; readonly plural: string },
  misfit: Report,
): void {
  const [least, most] = [node[`min${noun}`], node[`max${noun}`]];
  const needed = noun === "Properties" ? view.required.size : 0;
  const allowed = noun === "Properties" ? (view.onlyNames?.size ?? Infinity) : Infinity;
  if (typeof least === "number" && Math.max(needed, 0, ...view.numbers(`min${noun}`)) < least) {
    misfit(`min${noun}`, `has to have at least ${least} ${plural} now`);
  }
  if (typeof most === "number" && Math.min(allowed, ...view.numbers(`max${noun}`)) > most) {
    misfit(`max${noun}`, `has to have at most ${most} ${plural} now`);
  }
}
