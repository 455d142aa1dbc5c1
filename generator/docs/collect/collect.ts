import { diff } from "../../diff/diff.js";
import { protocolChanges } from "../../diff/impact/protocol-changes.js";
import { withSynthesized } from "../../evolve/with-synthesized.js";
import type { Facts } from "../../link/facts.js";
import type { Protocol } from "../../link/protocol.js";
import type { Declaration } from "../../model/schema-model.js";
import { Shapes } from "../../model/shape.js";
import { namesIn } from "../../model/walk.js";
import { Slugs } from "../page.js";
import type { Example } from "./examples.js";
import { histories } from "./history.js";
import { lossesOf } from "./losses.js";
import { exampleValues } from "./sample.js";
import type { Entry, Extension, Reference, Revision, Step, Use } from "./reference.js";

export interface RevisionInput {
  readonly protocol: Protocol;
  readonly facts?: Facts;
  readonly examples?: ReadonlyMap<string, readonly Example[]>;
}

export interface ExtensionInput extends RevisionInput {
  readonly extends: string;
}

/**
 * Collects a reference's data. There must be at least one revision, and the oldest must come first. Extensions of other
 * revisions are left out.
 */
export function collect(
  inputs: readonly RevisionInput[],
  extensions: readonly ExtensionInput[] = [],
): Reference {
  const values = exampleValues(
    inputs.map(({ protocol, examples = new Map() }) => ({ id: protocol.revision, examples })),
  );
  const revisions = inputs.map((input) => revisionOf(input, values));
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
    extensions: extensionsOf(extensions, revisions, values),
    losses: lossesOf(revisions.map(({ protocol }) => protocol)),
  };
}

function revisionOf(
  { protocol, facts, examples = new Map() }: RevisionInput,
  values: Revision["values"],
): Revision {
  const { declarations } = withSynthesized(protocol);
  return {
    id: protocol.revision,
    facts: facts ?? protocol.inherited?.facts ?? { revision: protocol.revision },
    protocol,
    shapes: new Shapes(declarations),
    methods: new Map(protocol.methods.map((method) => [method.method, method])),
    uses: usesOf(protocol),
    examples,
    values,
  };
}

function extensionsOf(
  extensions: readonly ExtensionInput[],
  revisions: readonly Revision[],
  values: Revision["values"],
): readonly Extension[] {
  const slugs = new Slugs();
  return extensions.flatMap((extension) => {
    const base = revisions.find(({ id }) => id === extension.extends);
    const { revision: id } = extension.protocol;
    const page = `extension/${slugs.next(id)}.html`;
    return base ? [{ id, page, base, revision: revisionOf(extension, values) }] : [];
  });
}

function stepsOf(revisions: readonly Revision[]): readonly Step[] {
  // All pairs are included, so that a new revision does not remove any page. Neighbouring revisions come first.
  const pairs = revisions.flatMap((_, distance) =>
    revisions.slice(distance + 1).map((to, index) => [revisions[index]!, to] as const),
  );
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
  // Names are assigned in the order of the revisions that introduced them, so that a name from a later revision does
  // not change any existing path.
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

/** Returns the revision since which `has` has been true without interruption, up to and including `revision`. */
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

/** Returns the declaration with a given name, which must exist in the revision. */
export function declarationIn({ shapes }: Revision, name: string): Declaration {
  return shapes.declaration(name)!;
}

function usesOf({
  declarations,
  methods,
  errorCodes,
}: Protocol): ReadonlyMap<string, readonly Use[]> {
  const found = new Map<string, Use[]>();
  const add = (type: string, use: Use): void => {
    const known = found.get(type) ?? [];
    found.set(type, known);
    const isKnown = known.some(({ name, kind }) => name === use.name && kind === use.kind);
    if (!isKnown && type !== use.name) known.push(use);
  };
  for (const { method, type, params, result } of methods) {
    add(type, { name: method, kind: "params" });
    if (params) add(params.type, { name: method, kind: "params" });
    const results = result ? [result, ...result.alternatives] : [];
    for (const one of results) add(one.type, { name: method, kind: "result" });
  }
  for (const { name, type } of errorCodes)
    if (type !== undefined) add(type, { name, kind: "error" });
  for (const declaration of declarations) {
    for (const name of namesIn(declaration)) add(name, { name: declaration.name, kind: "type" });
  }
  return found;
}
