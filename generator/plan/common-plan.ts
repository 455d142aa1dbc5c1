import { commonDeclarations } from "../evolve/common/common-declarations.js";
import type { Method, Protocol, SynthesizedType } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import { Shapes } from "../model/shape.js";

export interface CommonPlan {
  readonly declarations: readonly Declaration[];
  /** The types of inline parameters, under assigned names that no revision declares. */
  readonly synthesized: readonly SynthesizedType[];
  readonly shapes: Shapes;
  readonly methods: readonly Method[];
}

/** Plans the types that are common to the messages of all revisions. Expects the protocols with the oldest first. */
export function planCommon(protocols: readonly Protocol[]): CommonPlan {
  const declarations = commonDeclarations(protocols);
  const shapes = new Shapes(declarations);
  const newestFirst = protocols.toReversed();
  const methods = new Map<string, Method>();
  const synthesized = new Map<string, SynthesizedType>();
  for (const protocol of newestFirst) {
    for (const method of protocol.methods) {
      if (!methods.has(method.method)) methods.set(method.method, method);
    }
    for (const type of protocol.synthesized) {
      const isStated = shapes.named(type.owner)?.members.has(type.member);
      if (isStated && !shapes.declaration(type.name) && !synthesized.has(type.name)) {
        synthesized.set(type.name, type);
      }
    }
  }
  return {
    declarations,
    synthesized: [...synthesized.values()],
    shapes,
    methods: [...methods.values()],
  };
}
