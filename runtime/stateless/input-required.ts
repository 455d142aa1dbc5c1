import { isObject } from "../wire/index.js";

/** Result that has questions, or wants to be asked again. */
export interface InputRequired {
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly requestState?: string;
}

export interface InputRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** True when a valid result is not the final one. */
export function isInputRequired(result: unknown): result is InputRequired {
  return isObject(result) && result["resultType"] === "input_required";
}
