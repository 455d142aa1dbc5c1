import type { Definition, ServerFacts } from "../lock/lock-file.js";
import { isRecord } from "../lock/read-json.js";
import type { EntryChange } from "./change.js";
import { invisibleTexts } from "./invisible-characters.js";
import { differences, shortened } from "./text-changes.js";

/** Changes of the server's description of itself: revision, capabilities, instructions, name. */
export function serverChanges(before: ServerFacts, after: ServerFacts): readonly EntryChange[] {
  return [
    ...revisionChange(before.revision, after.revision),
    ...capabilityChanges(before.capabilities ?? {}, after.capabilities ?? {}),
    ...differences(before.instructions, after.instructions, "/instructions").flatMap((place) => [
      { class: "prose" as const, pointer: place.pointer, message: shortened(place) },
      ...invisibleTexts(place.after, place.pointer).map((pointer): EntryChange => {
        return { class: "dangerous", pointer, message: "has characters that cannot be seen" };
      }),
    ]),
    ...differences(before.scope ?? {}, after.scope ?? {}, "/scope").map((place): EntryChange => {
      return { class: "prose", pointer: place.pointer, message: shortened(place) };
    }),
    ...differences(before.server ?? {}, after.server ?? {}, "/server").map((place): EntryChange => {
      const isVersion = place.pointer === "/server/version";
      return {
        class: isVersion ? "additive" : "prose",
        pointer: place.pointer,
        message: shortened(place),
      };
    }),
  ];
}

function revisionChange(before: string | undefined, after: string | undefined): EntryChange[] {
  if (before === after || before === undefined || after === undefined) return [];
  const message = shortened({ before, after });
  return [{ class: after < before ? "breaking" : "additive", pointer: "/revision", message }];
}

function capabilityChanges(before: Definition, after: Definition): readonly EntryChange[] {
  return differences(before, after, "/capabilities").map((place): EntryChange => {
    const isMore = place.before === undefined || place.before === false || isNewer(place);
    return {
      class: isMore ? "additive" : "breaking",
      pointer: place.pointer,
      message: shortened(place),
    };
  });
}

/** True if an empty object has received members. */
function isNewer({
  before,
  after,
}: {
  readonly before: unknown;
  readonly after: unknown;
}): boolean {
  return isRecord(before) && isRecord(after) && Object.keys(before).length === 0;
}
