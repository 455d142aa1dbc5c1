import type { Diagnostics } from "../../diagnostics.js";
import type { Method, Protocol } from "../../link/protocol.js";
import type { ReferenceType } from "../../model/schema-model.js";
import { type EffectiveShape, Shapes } from "../../model/shape.js";
import type { Evolution } from "../evolution.js";
import { withSynthesized } from "../with-synthesized.js";
import type { Clash } from "./clash.js";
import { Comparison } from "./comparison.js";
import { finish } from "./finish.js";
import { knownMembers } from "./known-members.js";
import type { MethodShapes, ProjectionTable } from "./projection-table.js";

/**
 * How messages are translated between the newest revision and each of the others. What the tables cannot express and no
 * rule is written for is refused, so that no difference goes unnoticed.
 *
 * @param given - oldest first
 */
export function project(
  given: readonly Protocol[],
  evolution: Evolution,
  diagnostics: Diagnostics,
): ProjectionTable[] {
  const protocols = given.map(withSynthesized);
  const names = evolution.deltas.map(
    (delta, index) =>
      new Map(
        protocols[index]!.declarations.map(
          ({ name }) => [name, delta.names[name] ?? name] as const,
        ),
      ),
  );
  const known = knownMembers(protocols, names);
  const neutral = new Shapes(evolution.neutral.map(({ declaration }) => declaration));
  return protocols.slice(0, -1).map((protocol, index) => {
    const own = new Shapes(protocol.declarations);
    const onClash = (clash: Clash): void => report(diagnostics, protocol, clash);
    const comparison = new Comparison({ own, neutral, names: names[index]!, known, onClash });
    return {
      revision: protocol.revision,
      ...finish(comparison.drafts, methodsOf(protocol, evolution, comparison)),
    };
  });
}

/** Ids of drafts, by method. */
function methodsOf(
  { methods, envelope }: Protocol,
  evolution: Evolution,
  comparison: Comparison,
): Record<string, MethodShapes> {
  const found: Record<string, MethodShapes> = {};
  for (const own of methods) {
    const neutral = evolution.methods.find(({ method }) => method.method === own.method)!.method;
    const isRequest = own.kind === "request";
    const shared = isRequest ? envelope.requestParams : envelope.notificationParams;
    const params = paramsOf(comparison, neutral, own, shared);
    const result = resultOf(comparison, neutral, own);
    found[own.method] = { ...(params && { params }), ...(result && { result }) };
  }
  return found;
}

function paramsOf(
  comparison: Comparison,
  neutral: Method,
  own: Method,
  shared: string | undefined,
): string | undefined {
  if (!neutral.params || !own.params) return undefined;
  const { type } = neutral.params;
  const [shape, other] = [comparison.neutral.named(type), comparison.own.named(own.params.type)];
  const isAlone = shared === undefined || own.channel === "embedded";
  const common = isAlone ? undefined : comparison.own.named(shared);
  if (!shape || !other || !common) return named(comparison, type, own.params.type);
  return comparison.compareObjects(type, shape, withMeta(other, common));
}

/** Parameters that do not declare `_meta` themselves have that of all parameters. */
function withMeta(shape: EffectiveShape, common: EffectiveShape): EffectiveShape {
  const meta = common.members.get("_meta");
  if (!meta || shape.members.has("_meta")) return shape;
  return { ...shape, members: new Map([...shape.members, ["_meta", meta]]) };
}

function resultOf(comparison: Comparison, neutral: Method, own: Method): string | undefined {
  if (!neutral.result || !own.result) return undefined;
  const [asked, others] = [questionsOf(neutral), questionsOf(own)];
  if (asked.length === 0 || others.length === 0) {
    return named(comparison, neutral.result.type, own.result.type);
  }
  return comparison.compareMerged(
    neutral.result.type,
    shapesOf(comparison.neutral, [neutral.result.type, ...asked]),
    shapesOf(comparison.own, [own.result.type, ...others]),
  );
}

/** The results by which a server asks first. */
function questionsOf({ result }: Method): string[] {
  return result!.alternatives.flatMap(({ when, type }) => (when === "input_required" ? type : []));
}

function shapesOf(shapes: Shapes, names: readonly string[]): EffectiveShape[] {
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
      ? "State in generator/evolve/project/projection-facts.ts what its absence means, if it means something."
      : "Write a rule for it in runtime/facade/project/rules, and name it in generator/evolve/project/projection-facts.ts.",
    file: `${protocol.revision}/${protocol.source.file}`,
  });
}
