export { DeprecationWarning, warnIfDeprecated } from "./deprecations.js";
export { declaredSettings, extensionRequired } from "./extensions.js";
export {
  clientRules,
  commonRules,
  statelessClientRules,
  withRelatedTask,
} from "./message-rules.js";
