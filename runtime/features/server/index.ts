/** Features that every server of the facade loads; the others load when they are needed. */
export {
  COMPLETE,
  completionAudience,
  knowsCompletion,
  noteElicitation,
  webUrl,
} from "../elicitation/elicitations.js";
export { UrlElicitationRequiredError } from "../elicitation/url-elicitations.js";
export { Logging } from "../logging.js";
export { Prompts } from "../prompts.js";
export { checkedRule, isPermitted } from "../registry.js";
export { ResourceRegistry } from "../resources.js";
export { checkOf } from "../schema-checks.js";
export { errorResult, refuseArguments, ToolError } from "../tool-calls.js";
export { Tools } from "../tools.js";
