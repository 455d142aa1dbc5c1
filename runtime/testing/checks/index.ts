export { type Check, type CheckId, CHECKS, requirementOf, revisionsOf } from "./check-table.js";
export type { Finding, Severity } from "./finding.js";
export { createJudge, type Judge, type JudgeOptions, judgeTape } from "./judge.js";
