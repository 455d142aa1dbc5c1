import type { Containment, Misfit } from "./containment.js";
import type { Node } from "./schema-document.js";
import type { SenderView } from "./sender-view.js";

/** Misfits of array items. */
export function itemMisfits(
  containment: Containment,
  view: SenderView,
  node: Node,
  pointer: string,
): readonly Misfit[] {
  const { items, prefixItems } = node;
  const prefix = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
  if (items === undefined && prefix.length === 0) return [];
  const most = Math.min(Infinity, ...view.numbers("maxItems"));
  const sent = view.all("prefixItems").map((list) => (Array.isArray(list) ? list.length : 0));
  const described = Math.min(Math.max(prefix.length, 0, ...sent), most);
  const found: Misfit[] = [];
  for (let index = 0; index < described; index += 1) {
    const isInPrefix = index < prefix.length;
    const schema = isInPrefix ? prefix[index] : (items ?? true);
    const place = isInPrefix ? `${pointer}/prefixItems/${index}` : `${pointer}/items`;
    found.push(...containment.compare(view.item(index), schema, place));
  }
  if (items !== undefined && most > described) {
    found.push(...containment.compare(view.item(undefined), items, `${pointer}/items`));
  }
  return found;
}
