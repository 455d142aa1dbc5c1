import type { Diagnostics } from "../../diagnostics.js";
import type { Method, Protocol } from "../../link/protocol.js";
import type { ReferenceType } from "../../model/schema-model.js";
import { type EffectiveShape, Shapes } from "../../model/shape.js";
import { type Neutral, neutralOf } from "../evolve.js";
import { withSynthesized } from "../with-synthesized.js";
import type { Clash } from "./clash.js";
import { Comparison } from "./comparison.js";
import { finish } from "./finish.js";
import { placeFacts } from "./place-facts.js";
import type { MethodShapes, RevisionStep } from "./draft.js";

/**
 * Describes how messages are translated, with one step for each pair of adjacent revisions. A step depends only on the
 * revisions up to its newer one, so that a later revision does not change it. A difference that no step can express is
 * rejected unless it has a rule.
 *
 * @param revisions - the protocols, oldest first
 */
export function project(revisions: readonly Protocol[], diagnostics: Diagnostics): RevisionStep[] {
  const protocols = revisions.map(withSynthesized);
  const facts = placeFacts(protocols);
  const neutrals = protocols.map((_, index) => neutralOf(protocols.slice(0, index + 1)));
  return protocols.slice(1).map((newer, index) => {
    const older = protocols[index]!;
    const [before, after] = [neutrals[index]!, neutrals[index + 1]!];
    const comparison = new Comparison({
      own: shapesOf(before),
      neutral: shapesOf(after),
      names: after.names[index]!,
      facts: facts[index + 1]!,
      onClash: (clash) => report(diagnostics, older, clash),
    });
    const tables = finish(comparison, methodsOf(before, after, comparison));
    facts[index + 1]!.reportUnused(newer, older, diagnostics);
    const envelope = envelopeOf([older, before], [newer, after]);
    return { newer: newer.revision, older: older.revision, step: { ...envelope, ...tables } };
  });
}

function envelopeOf(
  [older, before]: readonly [Protocol, Neutral],
  [newer, after]: readonly [Protocol, Neutral],
): Omit<RevisionStep["step"], "methods" | "shapes"> {
  const { lifecycle, resultType, serverRequests } = newer.traits;
  const traits = {
    ...(lifecycle !== older.traits.lifecycle && { lifecycle }),
    ...(resultType !== older.traits.resultType && { resultType }),
    ...(serverRequests !== older.traits.serverRequests && { serverRequests }),
  };
  const gained = (has: (method: Method) => boolean): string[] =>
    before.methods
      .filter(({ method }) => has(counterpart(method, after)) && !has(method))
      .map(({ method }) => method.method);
  const cacheable = gained((method) => method.cacheable);
  const asking = gained((method) => questionsOf(method).length > 0);
  return {
    ...(Object.keys(traits).length > 0 && { traits }),
    ...(cacheable.length > 0 && { cacheable }),
    ...(asking.length > 0 && { asking }),
  };
}

function counterpart({ method }: Method, { methods }: Neutral): Method {
  return methods.find((one) => one.method.method === method)!.method;
}

function methodsOf(
  before: Neutral,
  after: Neutral,
  comparison: Comparison,
): Record<string, MethodShapes> {
  const found: Record<string, MethodShapes> = {};
  for (const { method: own } of before.methods) {
    const neutral = counterpart(own, after);
    const params =
      neutral.params && own.params && named(comparison, neutral.params.type, own.params.type);
    const result = resultOf(comparison, neutral, own);
    found[own.method] = {
      ...(params !== undefined && { params }),
      ...(result !== undefined && { result }),
    };
  }
  return found;
}

function resultOf(comparison: Comparison, neutral: Method, own: Method): string | undefined {
  if (!neutral.result || !own.result) return undefined;
  const [questions, others] = [questionsOf(neutral), questionsOf(own)];
  if (questions.length === 0 || others.length === 0) {
    return named(comparison, neutral.result.type, own.result.type);
  }
  return comparison.compareMerged(
    neutral.result.type,
    namedShapes(comparison.neutral, [neutral.result.type, ...questions]),
    namedShapes(comparison.own, [own.result.type, ...others]),
  );
}

function questionsOf({ result }: Method): string[] {
  const alternatives = result?.alternatives ?? [];
  return alternatives.flatMap(({ when, type }) => (when === "input_required" ? type : []));
}

function shapesOf({ neutral }: Neutral): Shapes {
  return new Shapes(neutral.map(({ declaration }) => declaration));
}

function namedShapes(shapes: Shapes, names: readonly string[]): EffectiveShape[] {
  return names.flatMap((name) => shapes.named(name) ?? []);
}

function named(comparison: Comparison, neutral: string, own: string): string {
  return comparison.compare({
    place: neutral,
    neutral: { type: reference(neutral) },
    own: { type: reference(own) },
  });
}

function reference(name: string): ReferenceType {
  return { kind: "reference", name, span: { line: 0, column: 0, start: 0, end: 0 } };
}

function report(diagnostics: Diagnostics, protocol: Protocol, clash: Clash): void {
  const { place, problem, isWarning } = clash;
  diagnostics.add({
    code: isWarning ? "MCG4005" : "MCG4004",
    severity: isWarning ? "warning" : "error",
    message: `${place} ${problem}.`,
    hint: isWarning
      ? "State a treatment for it under `places` in the facts of the newer revision, if its absence means something."
      : "State a rule of the runtime for it under `rules` in the facts of the newer revision. If none of them fits, the place needs a new rule in runtime/facade/project/rules.ts of the mcp-codegen repository.",
    file: protocol.file,
  });
}
