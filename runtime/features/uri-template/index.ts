export { expand, type TemplateValue } from "./expand.js";
export { type TemplateMatch, type TemplateValues, UriTemplate } from "./uri-template.js";
