import type { SetOptional } from "../ground/index.js";
import { isObject, mergeCapabilities as merge, META, type Validator } from "../wire/index.js";

/**
 * Parameters as the caller passes them. All members of a required `_meta` are optional, because the engine adds
 * those of the protocol.
 */
export type GivenParams<Params> = Params extends { readonly _meta: infer Meta }
  ? Flat<
      { [Name in keyof Params as Name extends "_meta" ? never : Name]: Params[Name] } & {
        _meta?: Partial<Meta>;
      }
    >
  : Params;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** Result as a handler returns it: `resultType` is optional, because the engine adds `complete`. */
export type GivenResult<Result> = Result extends { readonly resultType: infer Type }
  ? "complete" extends Type
    ? SetOptional<Result, "resultType">
    : Result
  : Result;

/** Placeholders for the members of `_meta` that the engine adds. */
const ENVELOPE = { _meta: { [META.revision]: "", [META.clientCapabilities]: {} } };
const COMPLETE = { resultType: "complete" };

/** Returns a check of a request's parameters that accepts them without the envelope, which the engine adds. */
export function givenParams<Params>(check: Validator<Params>): Validator<GivenParams<Params>> {
  return filled(check, ENVELOPE) as Validator<GivenParams<Params>>;
}

/** Returns a check of a result that accepts it without `resultType`, which the engine adds. */
export function givenResult<Result>(check: Validator<Result>): Validator<Result> {
  return filled(check, COMPLETE);
}

/** Adds the missing members before the check, so the paths of issues refer to the completed value. */
function filled<Type>(check: Validator<Type>, lacking: Record<string, unknown>): Validator<Type> {
  return (value, trace): value is Type =>
    check(isObject(value) ? merge(lacking, value) : value, trace);
}
