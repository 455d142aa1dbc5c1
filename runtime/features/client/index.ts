/** The features that a facade client loads when it needs them. */
export { type ListedTool, type OutputChecks, outputChecks } from "../checked-tools.js";
export type { ElicitationAnswer, UrlElicitation } from "../elicitation/elicitations.js";
export {
  Elicitation,
  type ElicitationOptions,
  urlElicitationsOf,
} from "../elicitation/elicitation.js";
export { Roots } from "../roots.js";
export { Sampling, type SamplingRequest } from "../sampling.js";
export type { SchemaCheck, SchemaCompiler } from "../schema-checks.js";
