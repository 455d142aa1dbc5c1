export type { Target } from "./conversation.js";
export type { DoctorFinding } from "./findings.js";
export type { UrlTarget } from "./link/http-link.js";
export type { ProcessTarget } from "./link/process-link.js";
export type { NamedCall } from "./server/calls.js";
export { type Examination, type ExamineOptions, examineServer } from "./server/examine-server.js";
export {
  type ClientExamination,
  type ExamineClientOptions,
  examineClient,
} from "./client/examine-client.js";
