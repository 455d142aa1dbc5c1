import { META, type Validator, isObject, mergeCapabilities as merge } from "../wire/index.js";
import type { GivenParams } from "./given-params.js";

/** Envelope members that the engine itself adds, at the revisions that have them. */
const ENVELOPE = { _meta: { [META.revision]: "", [META.clientCapabilities]: {} } };
const COMPLETE = { resultType: "complete" };

/** Check of a request's parameters that accepts them without the envelope, which the engine adds. */
export function givenParams<Params>(check: Validator<Params>): Validator<GivenParams<Params>> {
  return filled(check, ENVELOPE) as Validator<GivenParams<Params>>;
}

/** Check of a result that accepts it without `resultType`, which the engine adds. */
export function givenResult<Result>(check: Validator<Result>): Validator<Result> {
  return filled(check, COMPLETE);
}

/** Checks values with what they lack. What is reported is the same, as that is right. */
function filled<Type>(check: Validator<Type>, lacking: Record<string, unknown>): Validator<Type> {
  return (value, trace): value is Type =>
    check(isObject(value) ? merge(lacking, value) : value, trace);
}
