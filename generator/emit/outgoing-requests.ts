import type { Method } from "../link/protocol.js";
import { hasStub, mayAskFirst } from "../plan/stubs.js";
import type { RevisionPlan, SidePlan } from "../plan/revision-plan.js";
import { finalResults, sendParams } from "./stub-signatures.js";
import { type Code, code, EMPTY, identifier, join, memberName } from "./printer/code.js";
import { docText } from "./printer/doc.js";
import { schemaType } from "./runtime-symbol.js";

/**
 * The types of the requests that a side may send, by method: the parameters that the program passes, and the result
 * that it receives.
 */
export interface OutgoingRequests {
  readonly type: Code;
  /** `type`, extended by the requests that only a handler may send, because they are carried inside its result. */
  readonly inHandlers: Code;
  readonly declaration: Code;
}

/**
 * Returns the types of the requests that a side may send. They differ from the wire types only if the engine adds or
 * removes members.
 */
export function outgoingRequests(side: SidePlan, plan: RevisionPlan): OutgoingRequests {
  const sender = side.side === "client" ? "Client" : "Server";
  const requests = plan.maps.find(({ name }) => name === `${sender}Requests`)!.methods;
  const isOwn = requests.some((method) => isCompleted(method, plan));
  const type = isOwn ? code`${identifier(`${sender}Outgoing`)}` : schemaType(`${sender}Requests`);
  return {
    type,
    inHandlers: join([type, ...embeddedRequests(side, plan)], code` & `),
    declaration: isOwn ? outgoingMap(type, side, requests, plan) : EMPTY,
  };
}

function outgoingMap(
  type: Code,
  { side }: SidePlan,
  requests: readonly Method[],
  plan: RevisionPlan,
): Code {
  const text = `Requests that a ${side} may send: parameters without the members that the engine adds, and final results.`;
  const rows = requests
    .filter(hasStub)
    .map(
      (method) =>
        code`${memberName(method.method)}: { ${params(method, plan)}; result: ${join(finalResults(method), code` | `)} };\n`,
    );
  return code`${docText(text)}export interface ${type} {\n${rows}}\n\n`;
}

function embeddedRequests({ side }: SidePlan, { maps }: RevisionPlan): Code[] {
  const embedded = maps.find(({ name }) => name === "EmbeddedRequests");
  const isSender = embedded?.methods.some(({ from }) => from === side || from === "both");
  return isSender ? [schemaType("EmbeddedRequests")] : [];
}

function isCompleted(method: Method, { protocol }: RevisionPlan): boolean {
  return protocol.traits.requestMeta === "required" || mayAskFirst(method);
}

function params(method: Method, plan: RevisionPlan): Code {
  const accepted = sendParams(method, plan);
  if (accepted === undefined) return code`params?: undefined`;
  return code`params${accepted.optional ? code`?` : EMPTY}: ${accepted.type}`;
}
