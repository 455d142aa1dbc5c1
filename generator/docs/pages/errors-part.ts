import type { ErrorCode, Method } from "../../link/protocol.js";
import { namesIn } from "../../model/walk.js";
import { methodsOf } from "../collect/features.js";
import type { Revision } from "../collect/reference.js";
import { code, line, link, listed, type View, withCode } from "../page.js";
import { summaryOf } from "./members-part.js";
import { addressOf, holdsAt, naming, type Requirement } from "./requirements.js";
import { ERRORS, fragment, type Site } from "./site.js";

/** The JSON-RPC error codes for messages that cannot be read as requests. */
const UNREADABLE: readonly number[] = [-32700, -32600];
const PARAMS = -32602;

/**
 * Returns the errors with which a method can fail in a revision; empty for messages that have no response of their own.
 *
 * @param requirements - the requirements that name the method
 */
export function errorsOf(
  method: Method,
  revision: Revision,
  requirements: readonly Requirement[],
  site: Site,
): readonly View[] {
  const { protocol, facts } = revision;
  if (method.kind === "notification" || method.channel === "embedded") return [];
  const own = protocol.errorCodes.filter((error) => isPossible(error, method, revision));
  const ids = site.reference.revisions.map(({ id }) => id);
  const about = requirements.filter((one) => holdsAt(one, revision.id, ids));
  return own.map(({ name, code: number, type }) => {
    const fact = facts.errorCodes?.find((one) => one.name === name);
    const status = protocol.conventions.errorStatuses[name];
    const text = fact?.reason ?? summaryOf(type ?? name, revision);
    const isSaid = status === undefined || text.includes(String(status));
    const links = naming(String(number), about).map((one) => link(addressOf(one), one.id));
    return {
      code: link(`${ERRORS}#${fragment(name)}`, code(String(number))),
      name: code(name),
      when: line(
        ...withCode(text),
        ...(isSaid ? [] : [` HTTP status ${status}.`]),
        ...(links.length === 0 ? [] : [" ", ...listed(links).parts]),
      ),
    };
  });
}

function isPossible(error: ErrorCode, method: Method, revision: Revision): boolean {
  if (UNREADABLE.includes(error.code)) return false;
  if (error.code === PARAMS && method.params === undefined) return false;
  const { methods } = revision.facts.errorCodes?.find(({ name }) => name === error.name) ?? {};
  if (methods) return methods.includes(method.method);
  const sender = senderOf(error, revision);
  return sender === undefined || sender !== method.from;
}

/** Returns the side that sends an error, if the error's type contains something that only one side sends or needs. */
function senderOf({ type = "" }: ErrorCode, revision: Revision): "client" | "server" | undefined {
  const declaration = revision.shapes.declaration(type);
  const names = declaration ? [...namesIn(declaration)] : [];
  const { clientCapabilities } = revision.protocol.envelope;
  if (names.includes(clientCapabilities)) return "server";
  const requests = names.flatMap((name) => [...methodsOf(name, revision)]);
  const sides = requests.flatMap((one) => (one.kind === "request" ? [one.from] : []));
  return sides.find((side) => side !== "both");
}
