import type { SetOptional } from "../ground/index.js";
import { isObject, mergeCapabilities as merge, META, type Validator } from "../wire/index.js";

/**
 * The parameters as the caller passes them. All members of a required `_meta` are optional, because the engine adds the
 * ones that the protocol defines.
 */
export type GivenParams<Params> = Params extends { readonly _meta: infer Meta }
  ? Flat<
      { [Name in keyof Params as Name extends "_meta" ? never : Name]: Params[Name] } & {
        _meta?: Partial<Meta>;
      }
    >
  : Params;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** A result as a handler returns it. `resultType` is optional, because the engine adds `complete`. */
export type GivenResult<Result> = Result extends { readonly resultType: infer Type }
  ? "complete" extends Type
    ? SetOptional<Result, "resultType">
    : Result
  : Result;

/** Placeholders for the `_meta` members that the engine adds. */
const ENVELOPE = { _meta: { [META.revision]: "", [META.clientCapabilities]: {} } };
const COMPLETE = { resultType: "complete" };

/** Returns a check that accepts a request's parameters without the envelope, which the engine adds. */
export function givenParams<Params>(check: Validator<Params>): Validator<GivenParams<Params>> {
  return filled(check, ENVELOPE) as Validator<GivenParams<Params>>;
}

/** Returns a check that accepts a result without `resultType`, which the engine adds. */
export function givenResult<Result>(check: Validator<Result>): Validator<Result> {
  return filled(check, COMPLETE);
}

/** Adds missing members before the check runs, so the paths in issues refer to the completed value. */
function filled<Type>(check: Validator<Type>, lacking: Record<string, unknown>): Validator<Type> {
  return (value, trace): value is Type =>
    check(isObject(value) ? merge(lacking, value) : value, trace);
}
