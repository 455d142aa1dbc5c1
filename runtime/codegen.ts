/**
 * Everything that generated code imports from the runtime. Not for other code: its names change
 * along with the generator.
 */
export {
  MAX_DEPTH,
  type MethodFamily,
  type Revision,
  type RevisionSummary,
  type Shapes,
  type Validator,
  addShapes,
  classify,
  errorProjection,
  hasItems,
  hasLength,
  isArray,
  isArrayOf,
  isBetween,
  isBoolean,
  isInteger,
  isMapOf,
  isNever,
  isNumber,
  isObject,
  isOptionalBoolean,
  isOptionalObject,
  isOptionalString,
  isString,
  matches,
  methodTable,
  notification,
  onDemand,
  optional,
  ownMember,
  request,
  validator,
} from "./wire/index.js";
export { ClientBase, ServerBase } from "./engine/index.js";
export {
  type ClientOptions,
  type CustomNotification,
  type CustomRequest,
  type GivenParams,
  type HandlerContext,
  type InputRequired,
  type Middleware,
  type NotificationHandler,
  type PageOptions,
  type RequestHandler,
  type RequestOptions,
  type ServerOptions,
  customNotification,
  customRequest,
  givenParams,
  givenResult,
} from "./api/index.js";
export { clientHandshake, serverHandshake } from "./session/index.js";
export { clientStateless, serverStateless } from "./stateless/index.js";
export type { MembersOf, SetOptional } from "./ground/index.js";
