/** The features that every facade server loads. The others are loaded when they are needed. */
export {
  COMPLETE,
  completionAudience,
  knowsCompletion,
  noteElicitation,
  requiredElicitations,
  webUrl,
} from "../elicitation/open-elicitations.js";
export { UrlElicitationRequiredError } from "../elicitation/url-elicitations.js";
export { itemsOf } from "../items.js";
export { Logging } from "../logging.js";
export { PROMPTS, Prompts } from "../prompts.js";
export { checkedRule, isPermitted } from "../registry.js";
export { ResourceRegistry, RESOURCES, TEMPLATES } from "../resources.js";
export { checkOf } from "../schema-checks.js";
export { errorResult, refuseArguments, ToolError } from "../tool-calls.js";
export { Tools, TOOLS } from "../tools.js";
