export type { Finding, Severity } from "./checks/index.js";
