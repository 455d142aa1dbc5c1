export { statelessServerRules } from "./server-rules.js";
