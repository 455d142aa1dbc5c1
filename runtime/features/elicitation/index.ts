export { elicitForm, elicitUrl, withKnownMeta } from "./elicit.js";
export { formIssues } from "./forms.js";
