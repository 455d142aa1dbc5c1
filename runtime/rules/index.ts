export { assertFreshness, isSingleUse, markSingleUse } from "./envelope.js";
export {
  DeprecationWarning,
  declaredSettings,
  extensionRequired,
  warnIfDeprecated,
  withRelatedTask,
} from "./extensions.js";
export { clientRules, serverRules } from "./message-rules.js";
