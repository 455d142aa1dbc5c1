export type { TemplateMatch, TemplateValues } from "../features/uri-template/read-values.js";
export { UriTemplate } from "../features/uri-template/uri-template.js";
export { expand, type TemplateValue } from "./expand.js";
