/** Everything that the generated package of several revisions imports of the facade. */
export {
  describedSchema,
  type MessageSchema,
  messageSchema,
  type Schema,
  schema,
} from "./message-schemas/message-schema.js";
export { errorProjection } from "./project/project-error.js";
export { projection } from "./project/projection.js";
export type { Rule } from "./project/rule.js";
export { elicitationId } from "./project/rules/elicitation-id.js";
export { elicitationModes } from "./project/rules/elicitation-modes.js";
export { formField } from "./project/rules/form-field.js";
export { jsonText } from "./project/rules/json-text.js";
export { objectContent } from "./project/rules/object-content.js";
export { objectSchema } from "./project/rules/object-schema.js";
export { requiredFields } from "./project/rules/required-fields.js";
export { samplingContent } from "./project/rules/sampling-content.js";
export { samplingMessages } from "./project/rules/sampling-messages.js";
export { taskPayload } from "./project/rules/task-payload.js";
export { textNote } from "./project/rules/text-note.js";
export { toolTitle } from "./project/rules/tool-title.js";
export type { MethodShapes, Shape, Step } from "./project/step.js";
