export type { Check } from "./check.js";
export {
  CHECK_GROUPS,
  type CheckId,
  checkOf,
  CHECKS,
  messageChecksOf,
  requirementOf,
  revisionsOf,
  severityOf,
} from "./check-table.js";
export type { Finding, Severity } from "./finding.js";
export { createJudge, type Judge, type JudgeOptions, judgeTape } from "./judge.js";
