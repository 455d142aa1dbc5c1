import type { Target } from "../core/section.js";
import { cases, type HttpCase, keepsNothing } from "./http-cases.js";

/** Microseconds of the server for a call, the median; undefined where that was not measured. */
export type CpuOf = (one: HttpCase, contestant: string) => number | undefined;

type Bound = Pick<Target, "bound" | "limit" | "isHeadline">;

const mostOfLimit: Readonly<Record<string, number>> = {
  stateful: 1.3,
  stateless: 1.3,
  alone: 1.3,
  "stateful-stream": 1.5,
  "alone-stream": 1.5,
  "web-stateful": 1.3,
  "web-alone": 1.3,
};
const leastOfSdk: Readonly<Record<string, number>> = { stateful: 9, alone: 20 };
const headlines = new Set(["stateful", "alone"]);

export function httpTargets(cpu: CpuOf): readonly Target[] {
  return cases.flatMap((one) => {
    const { id, revision, title } = one;
    const isHeadline = headlines.has(id);
    const most = mostOfLimit[id];
    const least = leastOfSdk[id];
    const limit = cpu(one, "limit");
    const ours = cpu(one, revision);
    const what = `HTTP, CPU per small call, ${title}`;
    const against = one.isWeb ? "a bare handler on the same adapter" : "the limit";
    const targets: Target[] = [];
    const add = (said: string, above?: number, below?: number, bound?: Bound): void => {
      if (above === undefined || below === undefined || bound === undefined) return;
      targets.push({ what: said, value: above / below, unit: "x", ...bound });
    };
    const atMost: Bound | undefined =
      most === undefined ? undefined : { bound: "at most", limit: most };
    add(
      `${what}, ${revision} against ${against}`,
      ours,
      limit,
      atMost && { ...atMost, isHeadline },
    );
    const keeping = keepsNothing(revision);
    add(`${what}, ${keeping}, against ${against}`, cpu(one, keeping), limit, atMost);
    add(
      `${what}, sdk 2.4 against ours`,
      cpu(one, "sdk 2.4"),
      ours,
      least === undefined ? undefined : { bound: "at least", limit: least, isHeadline },
    );
    return targets;
  });
}
