export type { Finding, Severity } from "./checks/index.js";
export { eachRevision, type RegisterTest } from "./kit/each-revision.js";
export type { DoctorFinding } from "./doctor/findings.js";
export { judge, type JudgeClientOptions } from "./kit/judge.js";
export { assertThat, type KitMatchers, matchers, type Outcome } from "./kit/matchers.js";
export type { Question, ScriptedAnswer } from "./kit/script.js";
export { tape, type TapedServer, type TapeOptions } from "./kit/tape.js";
export {
  testClient,
  type TestClient,
  TestClientError,
  type TestClientOptions,
  type TestedServer,
} from "./kit/test-client.js";
