export { assertFreshness, isSingleUse, markSingleUse } from "./envelope.js";
export { DeprecationWarning, warnIfDeprecated } from "./deprecations.js";
export { declaredSettings, extensionRequired } from "./extensions.js";
export { clientRules, commonRules, withRelatedTask } from "./message-rules.js";
export { statelessClientRules, statelessServerRules } from "./stateless-rules.js";
