import {
  type LockedServer,
  type LockFile,
  readingOf,
  type ServerReading,
  type Definition,
  keyOf,
} from "../lock/lock-file.js";
import { withoutIgnored, coveredLists, carried } from "../server-contract.js";
import { type ContractChange, CHANGE_CLASSES } from "./change.js";
import { type ContractList, FAMILIES } from "../families.js";
import { entryChanges, serverChanges } from "./entry-changes.js";
import { invisibleTexts } from "./text-changes.js";

/**
 * Returns the changes between two lock files, server by server.
 *
 * @param ignore - JSON pointers to places that are not compared
 */
export function lockDiff(
  before: LockFile,
  after: LockFile,
  ignore: readonly string[] = [],
): readonly ContractChange[] {
  const inLists = ignore.map((pointer) => `/*/*${pointer}`);
  const read = (locked: LockedServer): ServerReading =>
    withoutIgnored(readingOf(locked), [...ignore, ...inLists]);
  const names = new Set([...Object.keys(before.servers), ...Object.keys(after.servers)]);
  return [...names].toSorted().flatMap((server): readonly ContractChange[] => {
    const [one, other] = [before, after].map(({ servers }) =>
      Object.hasOwn(servers, server) ? servers[server] : undefined,
    );
    if (one && other) return contractDiff(server, read(one), read(other));
    const place = { server, list: "server", name: "", pointer: "" } as const;
    return one
      ? [{ ...place, class: "breaking", message: "the server is gone" }]
      : [{ ...place, class: "additive", message: "new server" }];
  });
}

/** Returns the changes between two contracts for the same server, most serious class first. */
export function contractDiff(
  server: string,
  before: ServerReading,
  after: ServerReading,
): readonly ContractChange[] {
  const whole = serverChanges(before, after).map((change): ContractChange => ({
    server,
    list: "server",
    name: "",
    ...change,
  }));
  const [old, next] = [before, after].map((reading) => coveredLists(reading));
  const both = old!.filter((list) => next!.includes(list));
  const changes = [...whole, ...both.flatMap((list) => listChanges(server, list, before, after))];
  return changes.toSorted(
    (one, other) => CHANGE_CLASSES.indexOf(one.class) - CHANGE_CLASSES.indexOf(other.class),
  );
}

function listChanges(
  server: string,
  list: ContractList,
  before: ServerReading,
  after: ServerReading,
): readonly ContractChange[] {
  // A member that only one of the two revisions can express is not a change to the server.
  const ids = before.revision === after.revision ? [] : [before.revision, after.revision];
  const [old, next] = [before, after].map((reading) =>
    byKey(list, carried(list, reading[list], ids)),
  ) as [Map<string, Definition>, Map<string, Definition>];
  const keys = [...new Set([...old.keys(), ...next.keys()])].toSorted();
  return keys.flatMap((name) => {
    const [one, other] = [old.get(name), next.get(name)];
    const place = { server, list, name };
    if (one === undefined) return newEntry(place, other!);
    if (other === undefined) {
      return [
        { ...place, class: "breaking", pointer: "", message: `the ${FAMILIES[list].noun} is gone` },
      ];
    }
    return entryChanges(list, one, other).map((change) => ({ ...place, ...change }));
  });
}

type EntryPlace = Pick<ContractChange, "server" | "name"> & { readonly list: ContractList };

function newEntry(place: EntryPlace, definition: Definition): readonly ContractChange[] {
  const message = `new ${FAMILIES[place.list].noun}`;
  return [
    { ...place, class: "additive", pointer: "", message },
    ...invisibleTexts(definition).map((pointer): ContractChange => {
      return {
        ...place,
        class: "dangerous",
        pointer,
        message: "has invisible characters",
      };
    }),
  ];
}

/** Maps keys to entries. If several entries have the same key, the map contains the first. */
function byKey(list: ContractList, definitions: readonly Definition[]): Map<string, Definition> {
  return new Map(
    definitions.toReversed().map((definition) => [keyOf(list, definition), definition]),
  );
}
