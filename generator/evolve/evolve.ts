import type { Diagnostics } from "../diagnostics.js";
import type { Protocol } from "../link/protocol.js";
import { checkEvolution } from "./check-evolution.js";
import type { Evolution, Lifetime, NeutralDeclaration, NeutralMethod } from "./evolution.js";
import { type Step, stepInto } from "./lineage.js";
import { revisionDelta } from "./revision-delta.js";
import { withSynthesized } from "./with-synthesized.js";

/** Compares each revision with the newest definitions. The revisions must be passed oldest first. */
export function evolve(revisions: readonly Protocol[], diagnostics: Diagnostics): Evolution {
  const protocols = revisions.map(withSynthesized);
  checkEvolution(protocols, diagnostics);
  const { neutral, methods, names: neutralNames } = neutralOf(protocols);
  return {
    revisions: protocols.map(({ revision }) => revision),
    neutral,
    methods,
    deltas: protocols.map((protocol, index) =>
      revisionDelta(protocol, neutralNames[index]!, { neutral, methods }, protocols.at(-1)!),
    ),
  };
}

export interface Neutral extends Pick<Evolution, "neutral" | "methods"> {
  readonly names: readonly ReadonlyMap<string, string>[];
}

/**
 * Returns the newest definitions. The protocols must be passed oldest first, with their inline parameters declared
 * ({@link withSynthesized}).
 */
export function neutralOf(protocols: readonly Protocol[]): Neutral {
  const steps = protocols.slice(1).map((protocol, index) => stepInto(protocols[index]!, protocol));
  const names = protocols.map((protocol, index) => followed(protocol, steps.slice(index)));
  return {
    neutral: neutralDeclarations(protocols, names),
    methods: neutralMethods(protocols),
    names,
  };
}

/** Maps a revision's type names to their names in the newest revision that has the types. */
function followed({ declarations }: Protocol, steps: readonly Step[]): ReadonlyMap<string, string> {
  const names = declarations.map(({ name }) => {
    let last = name;
    for (const step of steps) {
      const next = step.get(last);
      if (next === undefined) break;
      last = next;
    }
    return [name, last] as const;
  });
  return new Map(names);
}

function neutralDeclarations(
  protocols: readonly Protocol[],
  names: readonly ReadonlyMap<string, string>[],
): NeutralDeclaration[] {
  const found = new Map<string, NeutralDeclaration>();
  for (const [index, { revision, declarations }] of [...protocols.entries()].toReversed()) {
    for (const declaration of declarations) {
      const name = names[index]!.get(declaration.name)!;
      const known = found.get(name);
      if (known) found.set(name, { ...known, first: revision });
      else found.set(name, { declaration, first: revision, last: revision });
    }
  }
  return [...found.values()];
}

function neutralMethods(protocols: readonly Protocol[]): NeutralMethod[] {
  const found = new Map<string, NeutralMethod>();
  for (const { revision, methods } of protocols.toReversed()) {
    for (const method of methods) {
      const lifetime: Lifetime = {
        first: revision,
        last: found.get(method.method)?.last ?? revision,
      };
      found.set(method.method, { method: found.get(method.method)?.method ?? method, ...lifetime });
    }
  }
  return [...found.values()];
}
