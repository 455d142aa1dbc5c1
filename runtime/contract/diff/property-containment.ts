import { accepts } from "./accepts.js";
import { isObject } from "../json.js";
import { token } from "./change.js";
import type { Containment, Misfit } from "./containment.js";
import type { Node } from "./schema-document.js";
import type { SenderView } from "./sender-view.js";

/**
 * Returns the misfits between object properties. Name patterns are never evaluated, so any name may match any pattern.
 */
export function propertyMisfits(
  containment: Containment,
  view: SenderView,
  node: Node,
  pointer: string,
): readonly Misfit[] {
  return [
    ...requiredMisfits(view, node, pointer),
    ...namedMisfits(containment, view, node, pointer),
    ...otherMisfits(containment, view, node, pointer),
    ...nameMisfits(containment, view, node, pointer),
    ...dependentMisfits(view, node, pointer),
  ];
}

function requiredMisfits(view: SenderView, node: Node, pointer: string): readonly Misfit[] {
  const { required } = node;
  if (!Array.isArray(required)) return [];
  const missing = required.filter((name) => !view.required.has(name as string));
  return missing.map((name) => ({
    pointer: `${pointer}/required`,
    message: `${JSON.stringify(name)} is required now`,
  }));
}

function namedMisfits(
  containment: Containment,
  view: SenderView,
  node: Node,
  pointer: string,
): readonly Misfit[] {
  const { patternProperties, additionalProperties } = node;
  const own = isObject(node["properties"]) ? node["properties"] : {};
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  const only = view.onlyNames;
  const names = new Set([...view.names, ...view.required, ...(only ?? []), ...Object.keys(own)]);
  return [...names].flatMap((name) => {
    if (only && !only.has(name)) return [];
    const sent = view.property(name);
    const place = `${pointer}/properties${token(name)}`;
    const isNamed = Object.hasOwn(own, name);
    const found = isNamed ? containment.compare(sent, own[name], place) : [];
    const more = patterns.flatMap(([pattern, schema]) =>
      containment.compare(sent, schema, `${pointer}/patternProperties${token(pattern)}`),
    );
    if (isNamed || additionalProperties === undefined) return [...found, ...more];
    const rest = containment.compare(sent, additionalProperties, place);
    const isGone = additionalProperties === false && rest.length > 0;
    return [...more, ...(isGone ? [{ pointer: place, message: "is no longer accepted" }] : rest)];
  });
}

function otherMisfits(
  containment: Containment,
  view: SenderView,
  node: Node,
  pointer: string,
): readonly Misfit[] {
  if (containment.areResults ? view.isClosed : view.onlyNames !== undefined) return [];
  const { patternProperties, additionalProperties } = node;
  const hasPatterns = isObject(patternProperties) && Object.keys(patternProperties).length > 0;
  const place = `${pointer}/${additionalProperties === undefined ? "patternProperties" : "additionalProperties"}`;
  const isEqual = view.nodes.some((one) =>
    containment.isEqual(
      [pick(one)],
      pick({
        patternProperties,
        ...(additionalProperties !== undefined && { additionalProperties }),
      }),
    ),
  );
  if (isEqual) return [];
  if (hasPatterns)
    return [{ pointer: place, message: "undecided: patternProperties", undecided: true }];
  if (additionalProperties === undefined) return [];
  const found = containment.compare(view.property(undefined), additionalProperties, place);
  const isGone = additionalProperties === false && found.length > 0;
  return isGone ? [{ pointer: place, message: "other properties are no longer accepted" }] : found;
}

function pick({ patternProperties, additionalProperties }: Node): Node {
  return {
    ...(patternProperties !== undefined && { patternProperties }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}

function nameMisfits(
  containment: Containment,
  view: SenderView,
  node: Node,
  pointer: string,
): readonly Misfit[] {
  const { propertyNames } = node;
  if (propertyNames === undefined) return [];
  const place = `${pointer}/propertyNames`;
  const verdicts = view.onlyNames
    ? [...view.onlyNames].map((name) => accepts(name, propertyNames, containment.receiver))
    : [undefined];
  if (verdicts.every((verdict) => verdict === true)) return [];
  if (!verdicts.includes(false)) {
    const sent = [...view.all("propertyNames"), { type: "string" }];
    return containment.compare(sent, propertyNames, place);
  }
  return [{ pointer: place, message: "the name of a property is no longer accepted" }];
}

function dependentMisfits(view: SenderView, node: Node, pointer: string): readonly Misfit[] {
  const { dependentRequired } = node;
  if (!isObject(dependentRequired)) return [];
  const only = view.onlyNames;
  return Object.entries(dependentRequired).flatMap(([name, needed]) => {
    const isSent = only === undefined || only.has(name);
    if (!isSent || !Array.isArray(needed)) return [];
    const known = view.all("dependentRequired").flatMap((all) => {
      const list = isObject(all) ? all[name] : undefined;
      return Array.isArray(list) ? (list as unknown[]) : [];
    });
    const missing = needed.filter(
      (other) => !view.required.has(other as string) && !known.includes(other),
    );
    return missing.map((other) => ({
      pointer: `${pointer}/dependentRequired${token(name)}`,
      message: `${JSON.stringify(other)} is required now together with ${JSON.stringify(name)}`,
    }));
  });
}
