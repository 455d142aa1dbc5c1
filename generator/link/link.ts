import type { Diagnostics } from "../diagnostics.js";
import { apiDigest } from "../fingerprint/api-digest.js";
import { wireDigest } from "../fingerprint/wire-digest.js";
import type { SchemaModel } from "../model/schema-model.js";
import { additions } from "./additions.js";
import { aggregates } from "./aggregates.js";
import { capabilityOf, checkNamingRule, conditionsOf, declaring } from "./capability.js";
import { checkCategories, checkEngineMessages, checkMessages } from "./check-messages.js";
import { checkFacts, checkListed } from "./check-facts.js";
import { checkResults } from "./check-results.js";
import { LinkContext } from "./context.js";
import { conventions } from "./conventions.js";
import { type Direction, directions } from "./direction.js";
import { envelope as envelopeOf } from "./envelope.js";
import { errorCodes } from "./error-codes.js";
import type { Facts, Problem } from "./facts.js";
import { checkFormats, formatRules, checkPlaces, placeRules } from "./places.js";
import { headersOf } from "./headers.js";
import { type Message, messages, roleOf } from "./messages.js";
import { pair } from "./pair.js";
import { paramsOf, sharedParams, synthesizedParams, takesCursor } from "./params.js";
import type { Envelope, Method, Protocol, Result } from "./protocol.js";
import { type LinkedMessage, traits } from "./traits.js";

export interface LinkOptions {
  readonly revision: string;
  readonly facts?: Facts;
  /** The protocol that the schema extends. It provides the envelope, traits and capabilities. */
  readonly extended?: Protocol;
}

/** Converts a schema's declarations to a protocol. Returns undefined if linking reports an error. */
export function link(
  model: SchemaModel,
  { revision, facts = { revision }, extended }: LinkOptions,
  diagnostics: Diagnostics,
): Protocol | undefined {
  const context = new LinkContext(model, facts, extended);
  const protocol = relate(revision, context);
  return context.finish(diagnostics) ? protocol : undefined;
}

/** Returns the problems in the facts, as opposed to those in the schema. */
export function factProblems(
  model: SchemaModel,
  { revision, facts = { revision } }: LinkOptions,
): readonly Problem[] {
  const context = new LinkContext(model, facts);
  relate(revision, context);
  return context.open().filter(({ fact }) => fact !== undefined);
}

function relate(revision: string, context: LinkContext): Protocol | undefined {
  const { facts, extended, model } = context;
  const all = messages(context);
  const unions = aggregates(context);
  const senders = directions(all, unions, context);
  const names = envelopeOf(context);
  const linked = names && all.map((message) => linkMessage(message, senders, names, context));
  const derived = names && linked && traits(linked, unions, names, context);
  const codes = errorCodes(context);
  const prose = conventions(codes, derived?.lifecycle, context);
  const headers = headersOf(all, prose, context);
  const added = additions(all, context);
  const synthesized = synthesizedParams(all, context);
  if (names && linked) {
    checkMessages(all, unions, names, context);
    checkResults(linked, unions, names, derived, context);
    checkEngineMessages(linked, context);
    checkCategories(linked, context);
    checkNamingRule(linked, names, context);
  }
  if (linked && derived) {
    checkListed(
      linked.filter(({ message }) => senders.has(message)),
      unions,
      context,
    );
  }
  checkFacts(revision, all, context, extended?.revision);
  checkPlaces(synthesized, context);
  checkFormats(context);
  if (!names || !linked || !derived || context.hasErrors) return undefined;
  const methods = linked.map(({ method }) => ({ ...method, ...headers.get(method.method) }));
  const { declarations } = model;
  const known = [...(extended?.declarations ?? []), ...declarations];
  return {
    revision,
    ...(facts.name !== undefined && { name: facts.name }),
    ...(facts.specification !== undefined && { specification: facts.specification }),
    ...(facts.keywords && { keywords: facts.keywords }),
    file: model.file,
    source: {
      file: baseName(model.file),
      sha256: model.sha256,
      api: apiDigest({ declarations }),
      wire: wireDigest({ declarations: known }, methods),
    },
    traits: derived,
    conventions: prose,
    methods,
    errorCodes: codes,
    aggregates: unions,
    envelope: { ...names, ...sharedParams(linked, names, context) },
    declarations,
    ...(added && { additions: added }),
    synthesized,
    ...(facts.previous !== undefined && { previous: facts.previous }),
    ...(facts.formats && { formats: formatRules(facts.formats) }),
    ...placeRules(facts),
    ...(facts.successors && { successors: facts.successors.map(({ from, to }) => ({ from, to })) }),
  };
}

/**
 * The direction that is assumed for a message whose sender is unknown, and has been reported as such, so that the
 * message's other parts are still checked.
 */
const ASSUMED: Direction = { from: "client", channel: "wire" };

function linkMessage(
  message: Message,
  senders: ReadonlyMap<Message, Direction>,
  envelope: Envelope,
  context: LinkContext,
): LinkedMessage {
  const direction = senders.get(message) ?? ASSUMED;
  const { kind, method, declaration, base } = message;
  const isRequest = kind === "request";
  const role = roleOf(declaration.name);
  const params = paramsOf(message, context);
  const result = isRequest ? pair(message, context) : undefined;
  const capability = capabilityOf(message, direction, envelope, context);
  const linked: Method = {
    method,
    kind,
    type: declaration.name,
    base,
    ...direction,
    ...(role && { role }),
    ...(params && { params }),
    ...(result && { result }),
    ...(capability && { capability }),
    ...(capability && isRequest && { declares: declaring(capability, envelope, context) }),
    conditions: conditionsOf(message, envelope, context),
    paginated: isPaginated(message, result, context),
    cacheable: result !== undefined && hasMembers(result.type, ["ttlMs", "cacheScope"], context),
    deprecated: declaration.doc?.tags.some(({ name }) => name === "deprecated") ?? false,
  };
  return { message, method: linked };
}

function isPaginated(message: Message, result: Result | undefined, context: LinkContext): boolean {
  if (!result || !hasMembers(result.type, ["nextCursor"], context)) return false;
  return takesCursor(message, context);
}

function hasMembers(name: string, members: readonly string[], context: LinkContext): boolean {
  const shape = context.shapes.named(name);
  return members.every((member) => shape?.members.has(member));
}

function baseName(file: string): string {
  return file.split(/[\\/]/).at(-1)!;
}
