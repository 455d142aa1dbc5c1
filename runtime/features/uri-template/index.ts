export { resourceFamilies } from "../resource-families.js";
export { expand, type TemplateValue } from "./expand.js";
export { type TemplateMatch, type TemplateValues, UriTemplate } from "./uri-template.js";
