/**
 * Function that computes its value once for each list of the same items in the same order, such as the revisions of a
 * server: programs may make a server for each request. Values are shared, so nobody may change them. Eight lists are
 * remembered for one first item.
 */
export function oncePerList<Item extends object, Value>(
  compute: (list: readonly Item[]) => Value,
): (list: readonly Item[]) => Value {
  const known = new WeakMap<Item, { readonly list: readonly Item[]; readonly value: Value }[]>();
  return (list) => {
    const first = list[0];
    if (!first) return compute(list);
    const entries = known.get(first) ?? [];
    const same = entries.find(
      (entry) => entry.list.length === list.length && entry.list.every((one, n) => one === list[n]),
    );
    if (same) return same.value;
    const value = compute(list);
    known.set(first, [...entries.slice(-7), { list: [...list], value }]);
    return value;
  };
}
