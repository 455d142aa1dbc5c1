export { DeprecationWarning, warnIfDeprecated } from "./deprecation.js";
export { assertFreshness } from "./envelope.js";
export { declaredSettings, extensionRequired } from "./extensions.js";
export { messageRules } from "./message-rules.js";
export { withRelatedTask } from "./related-tasks.js";
