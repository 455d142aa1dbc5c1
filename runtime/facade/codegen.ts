/** Everything that a generated package for several revisions imports from the facade. */
export { projection } from "./project/projection.js";
export {
  elicitationId,
  elicitationModes,
  formField,
  jsonText,
  objectContent,
  objectSchema,
  requiredFields,
  samplingContent,
  samplingMessages,
  taskPayload,
  textNote,
  toolTitle,
} from "./project/rules.js";
export type { MethodShapes, Rule, ShapeDifference, Step } from "./project/step.js";
