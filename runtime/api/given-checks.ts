import { META, type Validator, isObject, mergeCapabilities as merge } from "../wire/index.js";
import type { GivenParams } from "./given-params.js";

/** Envelope members that the engine itself adds, at the revisions that have them. */
const ENVELOPE = { _meta: { [META.revision]: "", [META.clientCapabilities]: {} } };
const COMPLETE = { resultType: "complete" };

// Parameters of a request, also where they lack the envelope: not all revisions have one, and it is not their business.
export function givenParams<Params>(check: Validator<Params>): Validator<GivenParams<Params>> {
  return filled(check, ENVELOPE) as Validator<GivenParams<Params>>;
}

// A result, also where it does not say that it is complete: not at all revisions they do.
export function givenResult<Result>(check: Validator<Result>): Validator<Result> {
  return filled(check, COMPLETE);
}

/** Checks values with what they lack. What is reported is the same, as that is right. */
function filled<Type>(check: Validator<Type>, lacking: Record<string, unknown>): Validator<Type> {
  return (value, trace): value is Type =>
    check(isObject(value) ? merge(lacking, value) : value, trace);
}
