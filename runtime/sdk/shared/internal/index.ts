export {
  type Ask,
  debounce,
  type Debounce,
  notifyThrough,
  optionsOf,
  requestThrough,
} from "../request-sending.js";
export { invalidParams } from "../errors.js";
export {
  type Callback,
  messageCallback,
  type OwnSchemas,
  type Untyped,
  untyped,
} from "../request-sending.js";
export { FAMILIES, type ListName, LISTS, type OfferedFamily } from "../families.js";
export { isCustom, isSchema, methodOf, parsedBy } from "../schemas.js";
export { withMode } from "../capabilities.js";
export { LONGEST_DELAY, type Requester, TaskRequests } from "../task-requests.js";
export { insideOf } from "../transport.js";
export { JsonSchemaValidator } from "../json-schema-validator.js";
