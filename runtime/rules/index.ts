export { DeprecationWarning, warnIfDeprecated } from "./deprecations.js";
export { declaredSettings, extensionRequired } from "./extensions.js";
export { clientRules, statelessClientRules } from "./lenience.js";
export { commonRules, withRelatedTask } from "./message-rules.js";
