/** All that generated code imports. It is made for that: names in here change along with the generator. */
export { classify } from "./classify.js";
export { ClientBase } from "./client.js";
export {
  type CustomNotification,
  customNotification,
  type CustomRequest,
  customRequest,
} from "./custom.js";
export { givenParams, givenResult } from "./given-checks.js";
export type { GivenParams } from "./given-params.js";
export { clientHandshake, serverHandshake } from "./lifecycle/handshake.js";
export { clientStateless, serverStateless } from "./lifecycle/stateless.js";
export type { HandlerContext, NotificationHandler, RequestHandler } from "./handlers.js";
export type { InputRequired } from "./rounds/input-required.js";
export { isEnvelope, messageMembers } from "./is-message.js";
export { isResponse } from "./is-response.js";
export { MAX_DEPTH, reject, rejectDepth, rejectTag, rejectUnion, withinOwn } from "./issues.js";
export { elements, maybe, ownMembers } from "./members.js";
export type { MembersOf } from "./members-of.js";
export { methodTable, notification, optional, request } from "./method-table.js";
export type { Middleware } from "./middleware.js";
export type { ClientOptions, RequestOptions, ServerOptions } from "./options.js";
export type { PageOptions } from "./paging.js";
export type { Revision } from "./revision.js";
export { ServerBase } from "./server.js";
export type { SetOptional } from "./set-optional.js";
export {
  hasLength,
  isArray,
  isBetween,
  isBoolean,
  isDefined,
  isInteger,
  isNumber,
  isObject,
  isOptionalBoolean,
  isOptionalObject,
  isOptionalString,
  isPlain,
  isString,
  ownMember,
} from "./validate.js";
export type { Trace, Validator } from "./validation.js";
