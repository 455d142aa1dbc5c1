import type { SetOptional } from "../ground/index.js";

/** A result as who answers gives it: that it is complete, the engine says where results say such things. */
export type GivenResult<Result> = Result extends { readonly resultType: infer Type }
  ? "complete" extends Type
    ? SetOptional<Result, "resultType">
    : Result
  : Result;
