export type { TemplateMatch, TemplateValues } from "./read-values.js";
export { UriTemplate } from "./uri-template.js";
export { expand, type TemplateValue } from "./expand.js";
