import { META, type Method, type Revision } from "../../wire/index.js";
import type { Rule } from "./rule.js";
import type { MethodShapes, Shape, ShapeTable, Step } from "./step.js";

/** Lifecycle of the newest revision, as far as the envelope of messages depends on it. */
type Lifecycle = Required<Pick<Step<Rule>, "traits" | "cacheable" | "asking">>;

const META_SHAPES = {
  "request _meta": {
    strip: [META.revision, META.clientInfo, META.clientCapabilities, META.logLevel],
  },
  "notification _meta": { strip: [META.subscription] },
  "result _meta": { strip: [META.serverInfo] },
} satisfies Record<string, Shape<Rule>>;

const QUESTIONS = ["inputResponses", "requestState"];
const FRESHNESS = { ttlMs: 0, cacheScope: "private" };

/**
 * Makes the table for the members that differ by lifecycle only. Members of the newest revision that this one lacks are
 * removed without a loss, and added with their default to messages of this revision.
 *
 * @param steps - from the newest revision to this one
 */
export function envelopeTable(revision: Revision, steps: readonly Step<Rule>[]): ShapeTable<Rule> {
  const lifecycle: Lifecycle = {
    traits: Object.assign({}, ...steps.map(({ traits }) => traits).toReversed()) as object,
    cacheable: steps.flatMap(({ cacheable = [] }) => cacheable),
    asking: steps.flatMap(({ asking = [] }) => asking),
  };
  const methods: Record<string, MethodShapes> = {};
  const shapes: Record<string, Shape<Rule>> = { ...META_SHAPES };
  for (const row of revision.methods.values()) {
    // Requests inside results, and the answers to them, have no envelope of their own.
    const isEmbedded = lifecycle.traits.serverRequests === "embedded" && row.from === "server";
    if (isEmbedded && row.kind === "request") continue;
    const params = paramsShape(row, revision, lifecycle);
    const result = row.kind === "request" ? resultShape(row, revision, lifecycle) : {};
    const names = { params: `${row.method} params`, result: `${row.method} result` };
    shapes[names.params] = params;
    shapes[names.result] = result;
    methods[row.method] = {
      ...(isFilled(params) && { params: names.params }),
      ...(isFilled(result) && { result: names.result }),
    };
  }
  return { methods, shapes };
}

function paramsShape(row: Method, { traits }: Revision, newest: Lifecycle): Shape<Rule> {
  return {
    ...(newest.asking.includes(row.method) && { strip: QUESTIONS }),
    ...(isStateless(newest, traits) && { members: { _meta: `${row.kind} _meta` } }),
  };
}

function resultShape(row: Method, { traits }: Revision, newest: Lifecycle): Shape<Rule> {
  const supply = {
    ...(newest.traits.resultType && !traits.resultType && { resultType: "complete" }),
    ...(newest.cacheable.includes(row.method) && FRESHNESS),
  };
  return {
    ...(isFilled(supply) && { strip: Object.keys(supply), supply }),
    ...(isStateless(newest, traits) && { members: { _meta: "result _meta" } }),
  };
}

/** True when messages of the newest revision describe themselves in `_meta`, and those of this one do not. */
function isStateless(newest: Lifecycle, own: Revision["traits"]): boolean {
  return newest.traits.lifecycle === "discover" && own.lifecycle !== "discover";
}

function isFilled(members: object): boolean {
  return Object.keys(members).length > 0;
}
