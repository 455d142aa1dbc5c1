import {
  INVALID_PARAMS,
  type Revision,
  RpcError,
  isObject,
  missingCapability,
  namesCapability,
} from "../../wire/index.js";
import { ToolError } from "../../features/server/index.js";
import type { HandlerContext, Session } from "../../api/index.js";
import type { Abilities } from "./context-types.js";

/** The name of the error for a capability that the client has not declared. Not all revisions have it. */
export const CODE = "MISSING_REQUIRED_CLIENT_CAPABILITY";

type Capabilities = Readonly<Record<string, unknown>>;

interface Need {
  readonly capabilities: Capabilities;
  /** The part of the capability that not all revisions have. */
  readonly named?: string;
  readonly method: string;
  /** Parameters that not all revisions have. */
  readonly params?: object;
}

const SEVERAL = { type: "array", items: { type: "string", enum: ["a"] } };
const CHOICE = { message: "", requestedSchema: { type: "object", properties: { a: SEVERAL } } };

const NEEDS: Readonly<Record<keyof Abilities, Need>> = {
  elicit: { capabilities: { elicitation: { form: {} } }, method: "elicitation/create" },
  elicitChoices: {
    capabilities: { elicitation: { form: {} } },
    method: "elicitation/create",
    params: CHOICE,
  },
  elicitUrl: {
    capabilities: { elicitation: { url: {} } },
    named: "client.elicitation.url",
    method: "elicitation/create",
  },
  sample: { capabilities: { sampling: {} }, method: "sampling/createMessage" },
  sampleWithTools: {
    capabilities: { sampling: { tools: {} } },
    named: "client.sampling.tools",
    method: "sampling/createMessage",
  },
  roots: { capabilities: { roots: {} }, method: "roots/list" },
};

/**
 * Returns the client's capabilities. An empty elicitation capability stands for forms, so it is replaced by one that
 * says so explicitly.
 */
export function capabilitiesOf({ peer }: Session): Capabilities {
  const { capabilities } = peer;
  const { elicitation } = capabilities;
  const saysNothing = isObject(elicitation) && Object.keys(elicitation).length === 0;
  return saysNothing ? { ...capabilities, elicitation: { form: {} } } : capabilities;
}

export function abilityFor(method: string, params: unknown): keyof Abilities | undefined {
  const { mode, tools, toolChoice } = isObject(params) ? params : {};
  switch (method) {
    case "elicitation/create":
      return mode === "url" ? "elicitUrl" : "elicit";
    case "sampling/createMessage":
      return (tools ?? toolChoice) === undefined ? "sample" : "sampleWithTools";
    case "roots/list":
      return "roots";
    default:
      return undefined;
  }
}

/** Returns the families of server requests that {@link Abilities} has no details for: `notes` for `notes/pick`. */
export function furtherFamilies(families: readonly string[]): ReadonlySet<string> {
  const detailed = new Set(Object.values(NEEDS).map(({ method }) => familyOf(method)));
  return new Set(families.filter((family) => !detailed.has(family)));
}

function familyOf(method: string): string {
  return method.split("/", 1)[0]!;
}

function hasFamily(family: string, revision: Revision, capabilities: Capabilities): boolean {
  const row = [...revision.methods.values()].find(
    ({ kind, from, method }) =>
      kind === "request" && from !== "client" && familyOf(method) === family,
  );
  const declared = { client: capabilities, server: {} };
  return row !== undefined && missingCapability(row, "server", declared) === undefined;
}

export function abilitiesOf(
  session: Session,
  families: ReadonlySet<string>,
): Abilities & Readonly<Record<string, boolean>> {
  const capabilities = capabilitiesOf(session);
  const further = [...families].map(
    (family) => [family, hasFamily(family, session.revision, capabilities)] as const,
  );
  const has = (name: keyof Abilities): boolean =>
    isThere(NEEDS[name], session.revision) && declares(capabilities, NEEDS[name].capabilities);
  return {
    elicit: has("elicit"),
    elicitChoices: has("elicitChoices"),
    elicitUrl: has("elicitUrl"),
    sample: has("sample"),
    sampleWithTools: has("sampleWithTools"),
    roots: has("roots"),
    ...Object.fromEntries(further),
  };
}

export function assertAble(
  { method, session }: HandlerContext,
  needed: keyof Abilities | object,
): void {
  const { revision } = session;
  const need = typeof needed === "string" ? NEEDS[needed] : undefined;
  const capabilities = need?.capabilities ?? (needed as Capabilities);
  const isPossible = need === undefined || isThere(need, revision);
  if (isPossible && declares(capabilitiesOf(session), capabilities)) return;
  const what = pathsOf(capabilities).join(", ");
  const text = isPossible
    ? (whyUnasked(session) ?? `This needs a client that declares the capability ${what}`)
    : `This needs the capability ${what}, which ${revision.id} does not have`;
  const code = revision.errorCodes[CODE];
  throw code === undefined
    ? inWords(text, method)
    : new RpcError(code, text, { requiredCapabilities: capabilities });
}

/** Returns the reason why no capability of the client is known, if its request is without the session it needs. */
export function whyUnasked({ peer, revision }: Session): string | undefined {
  if (peer.info !== undefined || revision.traits.lifecycle !== "initialize") return undefined;
  return `A client of ${revision.id} can only be asked in a session: see the server's option sessions`;
}

/**
 * Creates a ToolError inside a tool call, so that the model receives the text. Otherwise creates an RpcError for the
 * client.
 */
export function inWords(text: string, method: string): Error {
  return method === "tools/call" ? new ToolError(text) : new RpcError(INVALID_PARAMS, text);
}

function isThere({ method, named, params }: Need, revision: Revision): boolean {
  const row = revision.methods.get(method);
  if (row === undefined || (named !== undefined && !namesCapability(revision, named))) return false;
  return params === undefined || row.params!(params);
}

function declares(capabilities: unknown, needed: Capabilities): boolean {
  return Object.entries(needed).every(([name, value]) => {
    const own = isObject(capabilities) && Object.hasOwn(capabilities, name) && capabilities[name];
    if (own === false || own === null || own === undefined) return false;
    return !isObject(value) || declares(own, value);
  });
}

function pathsOf(capabilities: Capabilities): string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    const inner = isObject(value) ? pathsOf(value) : [];
    return inner.length === 0 ? [name] : inner.map((path) => `${name}.${path}`);
  });
}
