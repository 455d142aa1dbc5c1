import type { Diagnostics } from "../diagnostics.js";
import type { Method, Protocol } from "../link/protocol.js";
import { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";
import { hasHandler, withPagers, isSentBy, planStubs } from "./stubs.js";
import { planFamilies } from "./families.js";
import { planFeatures } from "./features.js";
import { planMaps, planMessages } from "./messages.js";
import { refuseDeclarations, refuseMethods, refuseRevision, refuseStubs } from "./refusals.js";
import type { RevisionPlan, Side, SidePlan } from "./revision-plan.js";

export interface PlanOptions {
  readonly file: string;
  /** True if the schema is not bundled, so that a command line must name it. */
  readonly isOwnSchema?: boolean;
  readonly isVendored?: boolean;
  readonly invocation?: Invocation;
  readonly version: string;
  readonly runtime: string;
}

/** Determines every name in a revision's package and rejects collisions. */
export function plan(
  protocol: Protocol,
  options: PlanOptions,
  diagnostics: Diagnostics,
): RevisionPlan {
  const report = { diagnostics, file: options.file };
  refuseRevision(protocol.revision, report);
  refuseDeclarations(protocol, report);
  refuseMethods(protocol, report);
  const shapes = new Shapes(protocol.declarations);
  const client = planSide(protocol.methods, "client", shapes);
  const server = planSide(protocol.methods, "server", shapes);
  const families = planFamilies(protocol, shapes);
  refuseStubs(client, protocol, report);
  refuseStubs(server, protocol, report);
  return {
    protocol,
    shapes,
    packageName: `@mcp-codegen/${protocol.revision}`,
    version: options.version,
    runtime: options.runtime,
    isOwnSchema: options.isOwnSchema ?? false,
    isVendored: options.isVendored ?? false,
    invocation: options.invocation ?? {},
    families,
    maps: planMaps(protocol.methods),
    messages: planMessages(protocol),
    features: planFeatures(protocol, shapes, families, options.runtime),
    client,
    server,
  };
}

function planSide(methods: readonly Method[], side: Side, shapes: Shapes): SidePlan {
  const other = side === "client" ? "server" : "client";
  return {
    side,
    className: side === "client" ? "Client" : "Server",
    contextName: side === "client" ? "ClientContext" : "ServerContext",
    handlersName: side === "client" ? "ClientHandlers" : "Handlers",
    middlewareName: side === "client" ? "ClientMiddleware" : "ServerMiddleware",
    stubs: withPagers(planStubs(methods, side), shapes),
    handlers: methods.filter((method) => isSentBy(method, other) && hasHandler(method)),
  };
}
