import {
  CapabilityError,
  type Loss,
  META,
  type Method,
  type Revision,
  RpcError,
} from "@mcp-codegen/runtime";
import type { Peers } from "./read-rows.js";
import type { Row } from "./row.js";
import { isMembers, member, type Members } from "../../tape/json-value.js";
import { roleOf } from "../../checks/roles.js";

/** A message as a program for all revisions would send it in another revision. */
export interface AtRevision {
  readonly note?: string;
  /**
   * The messages: none if the revision does not define the message, several if the revision sends its parts separately.
   */
  readonly messages: readonly unknown[];
  readonly losses: readonly Loss[];
}

type Part = "params" | "result";

/** Translates a row's message to the newest revision, and from there to the target. */
export function atRevision(row: Row, target: Revision, peers: Peers): AtRevision {
  const { message, revision, method } = row;
  if (!isMembers(message) || row.kind === "text" || row.kind === "event" || row.kind === "other") {
    return none("This is not a message of the protocol.");
  }
  if (revision === undefined) return none("The revision of this message is not known.");
  if (revision.id === target.id) return { messages: [message], losses: [] };
  const losses: Loss[] = [];
  const translate = (name: string, part: Part, value: unknown): unknown =>
    translated({ from: revision, target, peers }, name, part, value, losses);
  try {
    // A projection may remember a translated object and report its losses only once, so it is given a copy.
    const own = structuredClone(message);
    const isValid = row.findings.every(({ id }) => !id.endsWith("-shape"));
    const doubt = isValid
      ? {}
      : { note: `The message does not fit ${revision.id}; universal would not send it.` };
    const apart = rounds(row, own, target, translate);
    if (apart !== undefined) return { ...apart, losses };
    if (!target.methods.has(method)) return none(lacking(method, target));
    if (row.kind === "error") return { messages: [errorOf(row, own, target, losses)], losses };
    const part: Part = row.kind === "result" ? "result" : "params";
    const value = translate(method, part, own[part] ?? (needsMeta(row, target) ? {} : undefined));
    const sent = { ...own, ...(value !== undefined && { [part]: value }) };
    const { channel, from } = target.methods.get(method)!;
    if (channel === "wire" || from !== "server") return { messages: [sent], losses, ...doubt };
    return {
      messages: [{ method, [part]: value }],
      losses,
      note: `In ${target.id}, this travels inside the ${part === "params" ? "result of a request of the client, in inputRequests" : "parameters of the repeated request, in inputResponses"}.`,
    };
  } catch (error) {
    if (error instanceof CapabilityError) return { ...none(`${error.message}.`), losses };
    return none(
      `The message cannot be translated: it does not fit ${revision.id}, or is nested too deeply.`,
    );
  }
}

function none(note: string): AtRevision {
  return { messages: [], losses: [], note };
}

function lacking(method: string, { id, methods }: Revision): string {
  const role = roleOf(method);
  const other = role === "initialize" ? "discover" : role === "discover" && "initialize";
  const opening = [...methods.values()].find((one) => other && one.role === other);
  const instead = opening === undefined ? "" : ` Instead, there is ${opening.method}.`;
  return `${id} has no ${method}.${instead}`;
}

function needsMeta({ kind }: Row, { traits }: Revision): boolean {
  return kind === "request" && traits.requestMeta === "required";
}

interface Way {
  readonly from: Revision;
  readonly target: Revision;
  readonly peers: Peers;
}

function translated(
  { from, target, peers }: Way,
  method: string,
  part: Part,
  value: unknown,
  losses: Loss[],
): unknown {
  if (value === undefined) return undefined;
  const source = from.methods.get(method);
  const row = target.methods.get(method);
  const newest = (source && from.projection?.up(source, part)?.(value)) ?? value;
  const note = (loss: Loss): void => void losses.push(loss);
  const sent = (row && target.projection?.down(row, part, note)?.(newest)) ?? newest;
  if (row === undefined || !isMembers(sent)) return sent;
  return enveloped(row, part, withoutEmptyMeta(sent), target, peers);
}

/** Removes `_meta` if it has become empty, as it does in revisions whose messages do not describe their sender. */
function withoutEmptyMeta(value: Members): Members {
  const { _meta: meta, ...others } = value;
  return isMembers(meta) && Object.keys(meta).length === 0 ? others : value;
}

function enveloped(
  { kind, role, channel, from }: Method,
  part: Part,
  value: Members,
  { id, traits }: Revision,
  { clientInfo, clientCapabilities = {}, serverInfo }: Peers,
): Members {
  if (role === "initialize") return { ...value, protocolVersion: id };
  if (traits.lifecycle !== "discover" || kind !== "request" || channel !== "wire") return value;
  const own =
    part === "params"
      ? {
          [META.revision]: id,
          ...(clientInfo !== undefined && { [META.clientInfo]: clientInfo }),
          [META.clientCapabilities]: clientCapabilities,
        }
      : serverInfo === undefined || from === "server"
        ? {}
        : { [META.serverInfo]: serverInfo };
  const meta = { ...(value["_meta"] as object | undefined), ...own };
  return Object.keys(meta).length === 0 ? value : { ...value, _meta: meta };
}

/**
 * Returns the separate messages with which the target revision requests or returns input. Undefined if the message is
 * not part of a round, or if the target also has rounds.
 */
function rounds(
  { kind, method }: Row,
  message: Members,
  target: Revision,
  translate: (method: string, part: Part, value: unknown) => unknown,
): { readonly messages: readonly unknown[]; readonly note: string } | undefined {
  if (target.traits.serverRequests !== "wire") return undefined;
  const requests = kind === "result" && member(message["result"], "inputRequests");
  if (isMembers(requests)) {
    const messages = Object.entries(requests).flatMap(([id, request]) => {
      const requested = member(request, "method");
      if (typeof requested !== "string" || !target.methods.has(requested)) return [];
      const params = translate(requested, "params", member(request, "params"));
      return [{ jsonrpc: "2.0", id, method: requested, ...(params !== undefined && { params }) }];
    });
    return {
      messages,
      note: `In ${target.id}, the server sends these requests, and ${method} continues.`,
    };
  }
  const answers = kind === "request" && member(message["params"], "inputResponses");
  if (!isMembers(answers)) return undefined;
  const messages = Object.entries(answers).map(([id, result]) => ({ jsonrpc: "2.0", id, result }));
  return { messages, note: `In ${target.id}, the client responds to the requests of the server.` };
}

function errorOf(row: Row, message: Members, target: Revision, losses: Loss[]): Members {
  const { code, message: text, data } = message["error"] as Members;
  if (typeof code !== "number" || target.projectError === undefined) return message;
  const error = new RpcError(code, String(text), data);
  const params = member(row.request?.message, "params");
  const sent = target.projectError(
    { method: row.method, params },
    error,
    (loss) => void losses.push(loss),
  );
  const projected = {
    code: sent.code,
    message: sent.message,
    ...(sent.data !== undefined && { data: sent.data }),
  };
  return { ...message, error: projected };
}
