import {
  type Issue,
  type Method,
  type Validator,
  formatIssues,
  hasFormats,
  isObject,
} from "../../wire/index.js";
import { resultValidator } from "./route.js";
import { issuesOf } from "./validity.js";

export function acceptsResult(
  row: Method,
  params: unknown,
  result: unknown,
  checksContent = false,
): boolean {
  const validator = validatorFor(row, params, result);
  if (validator === undefined) return true;
  return validator(result) && (!checksContent || hasFormats(validator, result));
}

export function resultIssues(row: Method, params: unknown, result: unknown): readonly Issue[] {
  const validator = validatorFor(row, params, result) ?? isObject;
  const issues = issuesOf(validator, result);
  return issues.length > 0 ? issues : formatIssues(validator, result);
}

function validatorFor(row: Method, params: unknown, result: unknown): Validator | undefined {
  const validatorOf = resultValidator(row);
  return typeof validatorOf === "object" ? validatorOf.only : validatorOf(result, params);
}
