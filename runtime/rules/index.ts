export { assertFreshness, isSingleUse, markSingleUse } from "./envelope.js";
export {
  DeprecationWarning,
  declaredSettings,
  extensionRequired,
  warnIfDeprecated,
  withRelatedTask,
} from "./extensions.js";
export { messageRules } from "./message-rules.js";
