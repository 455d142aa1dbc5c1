import type { RevisionPlan, SidePlan } from "../plan/revision-plan.js";
import { header, protocolName } from "./header.js";
import { runtimeSymbol, schemaType, sideSymbols } from "./runtime-symbol.js";
import { handlerDoc } from "./method-doc.js";
import { type Code, code, identifier, importValue, memberName } from "./printer/code.js";
import { Imports, print } from "./printer/module.js";
import { jsDoc } from "./printer/doc.js";
import { outgoingRequests } from "./outgoing-requests.js";
import { handlerType, pagerMethod, stubMethod } from "./stub-signatures.js";
import type { OutputFile } from "../plan/file-plan.js";
import { renderTemplate } from "./template.js";

const REVISION = importValue("revision", "./methods.js");

export function sideView(plan: RevisionPlan, side: SidePlan): object {
  const { envelope } = plan.protocol;
  const isClient = side.side === "client";
  const imports = new Imports();
  const text = (part: Code): string => print(part, imports);
  const context = identifier(side.contextName);
  const outgoing = outgoingRequests(side, plan);
  const notifications = schemaType(isClient ? "ClientNotifications" : "ServerNotifications");
  const received = messageMapsOf(isClient ? "Server" : "Client");
  const middleware = identifier(side.middlewareName);
  const [own, other] = isClient
    ? [envelope.clientCapabilities, envelope.serverCapabilities]
    : [envelope.serverCapabilities, envelope.clientCapabilities];
  const implementation = schemaType(envelope.implementation);
  const { base, lifecycle } = sideSymbols(plan, side.side);
  const options = runtimeSymbol(plan, isClient ? "ClientOptions" : "ServerOptions");
  const view = {
    header: header(plan),
    protocol: protocolName(plan.protocol),
    contextName: side.contextName,
    handlersName: side.handlersName,
    middlewareName: side.middlewareName,
    className: side.className,
    outgoing: text(outgoing.declaration),
    context: text(
      code`${runtimeSymbol(plan, "HandlerContext")}<${outgoing.inHandlers}, ${notifications}>`,
    ),
    handlers: side.handlers.map((method) =>
      text(
        code`${jsDoc(handlerDoc(method, plan))}${memberName(method.method)}?: ${handlerType(method, context, plan)};`,
      ),
    ),
    base: text(
      code`${base}<${outgoing.type}, ${notifications}, ${schemaType(other)}, ${implementation}>`,
    ),
    implementation: text(implementation),
    middleware: text(code`${runtimeSymbol(plan, "Middleware")}<${received}, ${context}>`),
    options: text(code`${options}<${schemaType(own)}, ${middleware}>`),
    revisionValue: text(code`${REVISION}`),
    lifecycle: text(code`${lifecycle}`),
    stubs: side.stubs.flatMap((stub) => [
      text(stubMethod(stub, plan)),
      ...(stub.pager ? [text(pagerMethod(stub, stub.pager, plan))] : []),
    ]),
  };
  return { ...view, imports: imports.toString() };
}

function messageMapsOf(sender: "Client" | "Server"): Code {
  return code`${schemaType(`${sender}Requests`)}, ${schemaType(`${sender}Notifications`)}`;
}

export function emitClient(plan: RevisionPlan): OutputFile {
  return {
    path: "client.ts",
    text: renderTemplate("revision/client.ts", sideView(plan, plan.client)),
  };
}

export function emitServer(plan: RevisionPlan): OutputFile {
  return {
    path: "server.ts",
    text: renderTemplate("revision/server.ts", sideView(plan, plan.server)),
  };
}
