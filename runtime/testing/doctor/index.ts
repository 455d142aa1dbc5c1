export type { Target } from "./conversation.js";
export type { DoctorFinding } from "./findings.js";
export type { UrlTarget } from "./link/http-link.js";
export type { ProcessTarget } from "./link/process-link.js";
export { SERVER_CHECKS } from "./server-checks.js";
export type { NamedCall } from "./server/calls.js";
export { type Examination, type ExamineOptions, examineServer } from "./server/examine-server.js";
export { CLIENT_CHECKS } from "./client-checks.js";
export {
  type ClientExamination,
  type ExamineClientOptions,
  examineClient,
} from "./client/examine-client.js";
