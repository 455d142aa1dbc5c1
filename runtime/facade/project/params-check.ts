import type { Feature, StepSource } from "../../api/index.js";
import { summarize } from "../../engine/index.js";
import type { Trace } from "../../wire/index.js";
import { isDevelopment } from "../is-development.js";

/**
 * Creates the feature that validates the parameters this side sends, in development only and only where an older
 * revision differs from the newest. It must be the last feature, because the steps before it complete the parameters.
 */
export function paramsCheck(): Feature {
  return { handlers: {}, steps: isDevelopment() ? checks : undefined };
}

/**
 * Checks the parameters that are sent. Requests inside results need no step, because they are validated together with
 * the result.
 */
const checks: StepSource = ({ revision, direction, row }) => {
  const { method, params: validator, channel } = row;
  if (direction === "in" || channel === "embedded" || validator === undefined) return undefined;
  if (revision.projection?.down(row, "params") === undefined) return undefined;
  return {
    writeParams(params) {
      const issues: Trace = [];
      if (params === undefined || validator(params, issues)) return params;
      const text = `it is not valid in ${revision.id}: ${summarize(issues)}`;
      throw new TypeError(`${method} was not sent: ${text}`);
    },
  };
};
