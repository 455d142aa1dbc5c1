import {
  type AnyHandler,
  type RouteSteps,
  type StepSource,
  isInputRequired,
} from "../api/index.js";
import type { RequestContext } from "../engine/index.js";
import { onDemand } from "../ground/index.js";

const inputOnWire = /* @__PURE__ */ onDemand(() => import("./input-on-wire.js"));

/**
 * Steps for sessions. They send the questions that a handler returns as requests to the client, and call the handler
 * again with the answers. Any `inputResponses` sent by a peer are removed, because only the engine may add answers.
 */
export const questionRules: StepSource = ({ revision, direction, row }): RouteSteps | undefined => {
  if (direction === "out" || row.kind !== "request" || row.role) return undefined;
  const isOwn = revision.methods.get(row.method) === row;
  let called: AnyHandler;
  return {
    reservedParams: isOwn ? ["requestState", "inputResponses"] : undefined,
    handle(handler) {
      called = handler;
      return handler;
    },
    conclude(result, context) {
      if (!isInputRequired(result)) return undefined;
      const params = context.params as object;
      return inputOnWire(({ requestInput }) =>
        requestInput(result, params, called, context as RequestContext),
      );
    },
  };
};
