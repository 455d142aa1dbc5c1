import type { RevisionPlan, SidePlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { lifecycleSymbol } from "./lifecycle-symbol.js";
import { handlerDoc } from "./method-doc.js";
import { type Code, code } from "./printer/code.js";
import { identifier } from "./printer/identifier.js";
import { Imports } from "./printer/imports.js";
import { jsDoc } from "./printer/js-doc.js";
import { memberName } from "./printer/literal.js";
import { protocolName } from "./protocol-name.js";
import { print } from "./printer/module.js";
import { importValue } from "./printer/symbol.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import { outgoingRequests } from "./outgoing-requests.js";
import { schemaType } from "./schema-type.js";
import { handlerType, pagerMethod, stubMethod } from "./stub-signatures.js";

const REVISION = importValue("revision", "./methods.js");

/** Template view of client.ts and server.ts. */
export function sideView(plan: RevisionPlan, side: SidePlan): object {
  const { envelope } = plan.protocol;
  const isClient = side.side === "client";
  const imports = new Imports();
  const text = (part: Code): string => print(part, imports);
  const context = identifier(side.contextName);
  const outgoing = outgoingRequests(side, plan);
  const told = schemaType(isClient ? "ClientNotifications" : "ServerNotifications");
  const received = messageMapsOf(isClient ? "Server" : "Client");
  const middleware = identifier(side.middlewareName);
  const [own, other] = isClient
    ? [envelope.clientCapabilities, envelope.serverCapabilities]
    : [envelope.serverCapabilities, envelope.clientCapabilities];
  const implementation = schemaType(envelope.implementation);
  const base = runtimeSymbol(plan, isClient ? "ClientBase" : "ServerBase");
  const options = runtimeSymbol(plan, isClient ? "ClientOptions" : "ServerOptions");
  const view = {
    header: header(plan),
    protocol: protocolName(plan.protocol),
    contextName: side.contextName,
    handlersName: side.handlersName,
    middlewareName: side.middlewareName,
    className: side.className,
    outgoing: text(outgoing.declaration),
    context: text(code`${runtimeSymbol(plan, "HandlerContext")}<${outgoing.inHandlers}, ${told}>`),
    handlers: side.handlers.map((method) =>
      text(
        code`${jsDoc(handlerDoc(method, plan))}${memberName(method.method)}?: ${handlerType(method, context, plan)};`,
      ),
    ),
    base: text(code`${base}<${outgoing.type}, ${told}, ${schemaType(other)}, ${implementation}>`),
    implementation: text(implementation),
    middleware: text(code`${runtimeSymbol(plan, "Middleware")}<${received}, ${context}>`),
    options: text(code`${options}<${schemaType(own)}, ${middleware}>`),
    revisionValue: text(code`${REVISION}`),
    lifecycle: isClient ? text(code`${lifecycleSymbol(plan, "client")}`) : "",
    stubs: side.stubs.flatMap((stub) => [
      text(stubMethod(stub, plan)),
      ...(stub.pager ? [text(pagerMethod(stub, stub.pager, plan))] : []),
    ]),
  };
  return { ...view, imports: imports.toString() };
}

/** `types.ClientRequests, types.ClientNotifications` */
function messageMapsOf(sender: "Client" | "Server"): Code {
  return code`${schemaType(`${sender}Requests`)}, ${schemaType(`${sender}Notifications`)}`;
}
