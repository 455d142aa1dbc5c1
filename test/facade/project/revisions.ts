import type { Protocol } from "../../../generator/link/protocol.js";
import { Diagnostics } from "../../../generator/diagnostics.js";
import type { Evolution } from "../../../generator/evolve/evolution.js";
import { evolve } from "../../../generator/evolve/evolve.js";
import { withSynthesized } from "../../../generator/evolve/with-synthesized.js";
import { Shapes } from "../../../generator/model/shape.js";
import { revisions as newestFirst } from "../../../generated/universal/revisions.js";
import type { OnLoss } from "../../../runtime/wire/revision/revision.js";
import type { Method, Revision } from "../../../runtime/wire/revision/revision.js";
import { bundled, protocolOf } from "../../generator/bundled-protocols.js";

/** The revisions, oldest first. */
export const revisions: readonly Revision[] = newestFirst.toReversed();

/** All revisions except the newest. */
export const older: readonly Revision[] = revisions.slice(0, -1);

export const protocols: readonly Protocol[] = bundled.map(protocolOf);

export const evolution: Evolution = evolve(protocols, new Diagnostics());

/** The newest definitions of everything. */
export const neutral: Shapes = new Shapes(evolution.neutral.map(({ declaration }) => declaration));

export function shapesOf(revision: string): Shapes {
  const protocol = protocols.find((one) => one.revision === revision)!;
  return new Shapes(withSynthesized(protocol).declarations);
}

export function rowOf(revision: Revision, method: string): Method {
  const row = revision.methods.get(method);
  if (!row) throw new Error(`${revision.id} has no ${method}`);
  return row;
}

/** Returns a message as the given revision sends it. */
export function lowered(
  revision: Revision,
  method: string,
  part: "params" | "result",
  value: unknown,
  onloss?: OnLoss,
): unknown {
  const lower = revision.projection?.down(rowOf(revision, method), part, onloss);
  return lower ? lower(value) : value;
}

/** Converts a message of a revision into the form of the newest one. */
export function raisedFrom(
  revision: Revision,
  method: string,
  part: "params" | "result",
  value: unknown,
): unknown {
  const raise = revision.projection?.up(rowOf(revision, method), part);
  return raise ? raise(value) : value;
}

/** Returns the lowered message for every revision that has the method, by revision id. */
export function inAll(
  method: string,
  part: "params" | "result",
  value: unknown,
): Record<string, unknown> {
  const having = revisions.filter(({ methods }) => methods.has(method));
  return Object.fromEntries(
    having.map((revision) => {
      try {
        return [revision.id, lowered(revision, method, part, value)];
      } catch (error) {
        return [revision.id, (error as Error).name];
      }
    }),
  );
}
