export { torture, TORTURE_CASES, type TortureOptions, type TortureOutcome } from "./run-torture.js";
export type { CaseContext, CaseResponse, TortureCase } from "./torture-case.js";
