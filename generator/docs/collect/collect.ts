import { diff } from "../../diff/diff.js";
import { protocolChanges } from "../../diff/impact/protocol-changes.js";
import { withSynthesized } from "../../evolve/with-synthesized.js";
import type { Facts } from "../../link/facts.js";
import type { Protocol } from "../../link/protocol.js";
import type { Declaration } from "../../model/schema-model.js";
import { Shapes } from "../../model/shape.js";
import { histories } from "./history.js";
import { lossesOf } from "./losses.js";
import type { Entry, Reference, Revision, Step } from "./reference.js";
import { Slugs } from "./slugs.js";
import { usesOf } from "./uses.js";

export interface RevisionInput {
  readonly protocol: Protocol;
  readonly facts?: Facts;
}

/** Collects the facts of a reference. Expects the oldest revision first, and at least one. */
export function collect(inputs: readonly RevisionInput[]): Reference {
  const revisions = inputs.map(revisionOf);
  const newest = revisions.at(-1)!.protocol;
  const steps = stepsOf(revisions);
  const neighbours = steps.slice(0, revisions.length - 1);
  return {
    name: newest.name ?? newest.revision,
    revisions,
    methods: entries("method", revisions, ({ methods }) => [...methods.keys()], neighbours),
    types: entries(
      "type",
      revisions,
      ({ protocol }) => protocol.declarations.map(({ name }) => name),
      neighbours,
    ),
    steps,
    losses: lossesOf(revisions.map(({ protocol }) => protocol)),
  };
}

function revisionOf({ protocol, facts }: RevisionInput): Revision {
  const { declarations } = withSynthesized(protocol);
  const { title, released, conventions, specification } = facts ?? {};
  return {
    id: protocol.revision,
    facts: {
      ...(title !== undefined && { title }),
      ...(released !== undefined && { released }),
      ...(conventions && { conventions }),
      ...(specification !== undefined && { specification }),
    },
    protocol,
    shapes: new Shapes(declarations),
    methods: new Map(protocol.methods.map((method) => [method.method, method])),
    uses: usesOf(protocol),
  };
}

function stepsOf(revisions: readonly Revision[]): readonly Step[] {
  const pairs = revisions.slice(1).map((to, index) => [revisions[index]!, to] as const);
  if (revisions.length > 2) pairs.push([revisions[0]!, revisions.at(-1)!]);
  const slugs = new Slugs();
  return pairs.map(([from, to]) => {
    const found = diff(from.protocol, to.protocol);
    return {
      from,
      to,
      page: `changes/${slugs.next(`${from.id}-to-${to.id}`)}.html`,
      diff: found,
      changes: protocolChanges(from.protocol, to.protocol, found),
    };
  });
}

function entries(
  kind: "method" | "type",
  revisions: readonly Revision[],
  namesOf: (revision: Revision) => readonly string[],
  steps: readonly Step[],
): readonly Entry[] {
  const having = new Map<string, Revision[]>();
  for (const revision of revisions) {
    for (const name of namesOf(revision)) {
      having.set(name, [...(having.get(name) ?? []), revision]);
    }
  }
  // In the order of their first revision, so that the names of a later one change no path.
  const slugs = new Slugs();
  const pages = new Map(
    [...having.keys()].map((name) => [name, `${kind}/${slugs.next(name)}.html`]),
  );
  const history = histories(kind, steps);
  const order = new Set(revisions.toReversed().flatMap(namesOf));
  return [...order].map((name) => ({
    name,
    page: pages.get(name)!,
    revisions: having.get(name)!,
    history: history.get(name) ?? [],
  }));
}

/** The first of the revisions, without a gap up to `revision`, for which `has` is true. */
export function since(
  revision: Revision,
  revisions: readonly Revision[],
  has: (revision: Revision) => boolean,
): Revision {
  let first = revision;
  for (let index = revisions.indexOf(revision) - 1; index >= 0; index--) {
    if (!has(revisions[index]!)) break;
    first = revisions[index]!;
  }
  return first;
}

/** Declaration of a name in a revision that has it. */
export function declarationIn({ shapes }: Revision, name: string): Declaration {
  return shapes.declaration(name)!;
}
