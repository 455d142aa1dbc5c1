import type { Envelope, Method } from "../link/protocol.js";
import type { MessageUnion, RevisionPlan, SideMessages } from "../plan/revision-plan.js";
import { type Code, code, EMPTY, identifier, join, memberName } from "./printer/code.js";
import { docText } from "./printer/doc.js";

export function messageMaps({ maps }: RevisionPlan): Code {
  return join(
    maps.map(({ name, description, methods }) => {
      const rows = methods.map(
        (method) =>
          code`${memberName(method.method)}: { ${paramsEntry(method)}${resultEntry(method)} };\n`,
      );
      const body = rows.length === 0 ? code`{}` : code`{\n${rows}}`;
      return code`${docText(description)}export interface ${identifier(name)} ${body}\n\n`;
    }),
  );
}

function paramsEntry({ params }: Method): Code {
  if (params === undefined) return code`params?: undefined`;
  return code`params${params.optional ? code`?` : EMPTY}: ${identifier(params.type)}`;
}

function resultEntry({ result }: Method): Code {
  if (result === undefined) return EMPTY;
  const types = [result.type, ...result.alternatives.map(({ type }) => type)];
  return code`; result: ${join(types.map(identifier), code` | `)}`;
}

export function messageUnions(plan: RevisionPlan): Code {
  const missing = plan.messages.flatMap(({ side, unions }) =>
    unions.filter(({ declared }) => !declared).map((union) => synthesizedUnion(union, side)),
  );
  return join([...missing, ...plan.messages.map((messages) => sideMessages(messages, plan))]);
}

function synthesizedUnion({ name, kind, methods }: MessageUnion, side: string): Code {
  const doc = methods.length === 0 ? `A ${side} sends no ${kind}s.` : `Any ${kind} of a ${side}.`;
  const type = unionOf(methods.map((method) => identifier(method.type)));
  return code`${docText(doc)}export type ${identifier(name)} = ${type};\n\n`;
}

function sideMessages(messages: SideMessages, plan: RevisionPlan): Code {
  const { side, names } = messages;
  const doc = docText(`All messages that a ${side} may send, envelope included.`);
  const message = code`${doc}export type ${identifier(names.message)}`;
  const [calls, replies] = [callArms(messages, plan), replyArms(messages, plan)];
  if (!plan.protocol.traits.batching)
    return code`${message} = ${unionOf([...calls, ...replies])};\n\n`;
  const [call, reply] = [identifier(names.call), identifier(names.reply)];
  return code`${docText(`Requests and notifications of a ${side}.`)}export type ${call} = ${unionOf(calls)};

${docText(`Responses of a ${side}.`)}export type ${reply} = ${unionOf(replies)};

${message} = ${call} | ${reply} | ${call}[] | ${reply}[];\n\n`;
}

function callArms({ unions }: SideMessages, { protocol }: RevisionPlan): Code[] {
  const { envelope, traits } = protocol;
  const sent = unions.filter(({ methods }) => methods.length > 0);
  return sent.map((union) =>
    traits.envelope === "inside" ? identifier(union.name) : enveloped(union, envelope),
  );
}

function replyArms({ otherRequests }: SideMessages, { protocol, maps }: RevisionPlan): Code[] {
  const { envelope } = protocol;
  if (maps.find(({ name }) => name === otherRequests)?.methods.length === 0) return [];
  const map = identifier(otherRequests);
  return [
    code`(${identifier(envelope.result)} & { result: ${map}[keyof ${map}]["result"] })`,
    identifier(envelope.error),
  ];
}

function enveloped({ name, kind }: MessageUnion, envelope: Envelope): Code {
  return code`(${identifier(envelope[kind])} & ${identifier(name)})`;
}

function unionOf(arms: readonly Code[]): Code {
  return arms.length === 0 ? code`never` : join(arms, code` | `);
}
