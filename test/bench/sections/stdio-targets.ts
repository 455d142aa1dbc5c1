import type { Target } from "../core/section.js";
import { type Case, listOf100, smallCall } from "../drivers/stdio/cases.js";
import { type Era, eraOf, newest } from "../drivers/stdio/conversation.js";
import type { MeasuredClients } from "./stdio-clients.js";
import { eras, type Measured, revisions } from "./stdio-servers.js";

type Bound = Pick<Target, "bound" | "limit" | "isHeadline">;

/** CPU of one as a ratio of another's; nothing where one of them was not measured. */
function ratio(what: string, above?: number, below?: number, bound?: Bound): readonly Target[] {
  if (above === undefined || below === undefined || bound === undefined) return [];
  return [{ what: `stdio, ${what}`, value: above / below, unit: "x", ...bound }];
}

const atMost = (limit: number, isHeadline = false): Bound => ({
  bound: "at most",
  limit,
  isHeadline,
});
const atLeast = (limit: number, isHeadline = false): Bound => ({
  bound: "at least",
  limit,
  isHeadline,
});

export function serverTargets(measured: ReadonlyMap<Era, Measured>): readonly Target[] {
  const cpu = (era: Era, one: Case, name: string): number | undefined =>
    measured.get(era)?.get(one)?.get(name)?.cpu.median;
  const small = (era: Era, name: string): number | undefined => cpu(era, smallCall, name);
  const list = (era: Era, name: string): number | undefined => cpu(era, listOf100, name);
  return [
    ...revisions.flatMap((revision) => {
      const era = eraOf(revision);
      const isNewest = revision === newest[era];
      const what = `CPU per small call, ${revision}, against the limit`;
      return ratio(what, small(era, revision), small(era, "limit"), atMost(1.35, isNewest));
    }),
    ...eras.flatMap((era) => {
      const revision = newest[era];
      const of = `CPU per small call, ${revision}`;
      const ofList = `CPU per tools/list of 100 tools, ${revision}`;
      return [
        ...ratio(
          `${of}, sdk 2.4 against ours`,
          small(era, "sdk 2.4"),
          small(era, revision),
          atLeast(12, true),
        ),
        ...ratio(
          `${of}, universal against one revision`,
          small(era, "universal"),
          small(era, revision),
          atMost(1.2),
        ),
        ...ratio(
          `${ofList}, against a prepared string`,
          list(era, revision),
          list(era, "limit"),
          atMost(1.3),
        ),
        ...ratio(
          `${ofList}, sdk 2.4 against ours`,
          list(era, "sdk 2.4"),
          list(era, revision),
          atLeast(80, era === "handshake"),
        ),
      ];
    }),
  ];
}

export function clientTargets(measured: MeasuredClients): readonly Target[] {
  return eras.flatMap((era) => {
    const cpu = (name: string): number | undefined => measured.get(era)?.get(name)?.cpu.median;
    return [newest[era], "universal"].flatMap((name) => {
      const isNewest = name === newest[era];
      const isHeadline = isNewest && era === "handshake";
      const of = `CPU of the client per small call, ${isNewest ? name : `${name} at ${newest[era]}`}`;
      return [
        ...ratio(`${of}, against a bare client`, cpu(name), cpu("limit"), atMost(1.5, isHeadline)),
        ...ratio(`${of}, sdk 2.4 against ours`, cpu("sdk 2.4"), cpu(name), atLeast(7, isHeadline)),
      ];
    });
  });
}
