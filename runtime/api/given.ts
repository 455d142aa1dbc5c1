import type { SetOptional } from "../ground/index.js";
import { isObject, mergeCapabilities as merge, META, type Validator } from "../wire/index.js";

/**
 * Parameters as who asks gives them: of a required `_meta`, the engine writes what the protocol demands, and all of its
 * members may be left out.
 */
export type GivenParams<Params> = Params extends { readonly _meta: infer Meta }
  ? Flat<
      { [Name in keyof Params as Name extends "_meta" ? never : Name]: Params[Name] } & {
        _meta?: Partial<Meta>;
      }
    >
  : Params;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** A result as who answers gives it: that it is complete, the engine says where results say such things. */
export type GivenResult<Result> = Result extends { readonly resultType: infer Type }
  ? "complete" extends Type
    ? SetOptional<Result, "resultType">
    : Result
  : Result;

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
