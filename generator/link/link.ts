import type { Diagnostics } from "../diagnostics.js";
import { apiDigest } from "../fingerprint/api-digest.js";
import { wireDigest } from "../fingerprint/wire-digest.js";
import type { SchemaModel } from "../model/schema-model.js";
import { additions } from "./additions.js";
import { aggregates } from "./aggregates.js";
import { checkNamingRule } from "./capability.js";
import { checkCategories } from "./check-categories.js";
import { checkEngineMessages } from "./check-engine-messages.js";
import { checkFacts } from "./check-facts.js";
import { checkMessages } from "./check-messages.js";
import { checkListed } from "./check-listed.js";
import { checkResults } from "./check-results.js";
import { LinkContext } from "./context.js";
import { conventions } from "./conventions.js";
import { directions } from "./direction.js";
import { envelope } from "./envelope.js";
import { errorCodes } from "./error-codes.js";
import type { Facts } from "./facts.js";
import { checkFormats, formatRules } from "./formats.js";
import { headersOf } from "./headers.js";
import { linkMessage } from "./link-message.js";
import { messages } from "./messages.js";
import { checkPlaces, placeRules } from "./place-rules.js";
import { synthesizedParams } from "./params.js";
import type { Problem } from "./problem.js";
import type { Protocol } from "./protocol.js";
import { sharedParams } from "./shared-params.js";
import { traits } from "./traits.js";

export interface LinkOptions {
  /** Id of the revision, such as `2025-03-26`; never read from the schema. */
  readonly revision: string;
  /** Facts that the schema does not state. */
  readonly facts?: Facts;
  /** Protocol that the schema extends: it provides the envelope, traits and capabilities. */
  readonly extended?: Protocol;
}

/**
 * Turns a schema's declarations into a protocol: its messages, their senders, their results and their capabilities.
 * Undefined if the schema or the facts leave one of these open.
 */
export function link(
  model: SchemaModel,
  { revision, facts = { revision }, extended }: LinkOptions,
  diagnostics: Diagnostics,
): Protocol | undefined {
  const context = new LinkContext(model, facts, extended);
  const protocol = relate(revision, context);
  return context.finish(diagnostics) ? protocol : undefined;
}

/** Problems that linking finds in the facts, as opposed to the schema. */
export function factProblems(
  model: SchemaModel,
  { revision, facts = { revision } }: LinkOptions,
): readonly Problem[] {
  const context = new LinkContext(model, facts);
  relate(revision, context);
  return context.open().filter(({ fact }) => fact !== undefined);
}

/** Links the protocol of a schema; reports problems to the context. */
function relate(revision: string, context: LinkContext): Protocol | undefined {
  const { facts, extended, model } = context;
  const all = messages(context);
  const unions = aggregates(context);
  const senders = directions(all, unions, context);
  const names = envelope(context);
  const linked = names && all.map((message) => linkMessage(message, senders, names, context));
  const derived = names && linked && traits(linked, unions, names, context);
  const codes = errorCodes(context);
  const prose = conventions(codes, derived?.lifecycle, context);
  const headers = headersOf(all, prose, context);
  const added = additions(all, context);
  const synthesized = synthesizedParams(all, context);
  if (names && linked) {
    checkMessages(all, unions, names, context);
    checkResults(linked, names, derived, context);
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

function baseName(file: string): string {
  return file.split(/[\\/]/).at(-1)!;
}
