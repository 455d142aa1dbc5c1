import type { RuleName } from "./projection-table.js";
import type { Rule } from "./rule.js";
import { elicitationId } from "./rules/elicitation-id.js";
import { elicitationModes } from "./rules/elicitation-modes.js";
import { formField } from "./rules/form-field.js";
import { jsonText } from "./rules/json-text.js";
import { objectContent } from "./rules/object-content.js";
import { objectSchema } from "./rules/object-schema.js";
import { requiredFields } from "./rules/required-fields.js";
import { samplingContent } from "./rules/sampling-content.js";
import { samplingMessages } from "./rules/sampling-messages.js";
import { taskPayload } from "./rules/task-payload.js";
import { textNote } from "./rules/text-note.js";
import { toolTitle } from "./rules/tool-title.js";

/** The handwritten rules, under the names that tables have for them. */
export const RULES: Readonly<Record<RuleName, Rule>> = {
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
};
