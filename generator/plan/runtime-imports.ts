type ImportKind = "type" | "value";

/**
 * Names that validators.ts and shapes.ts may import from the runtime; no declaration of a schema may have one of
 * them.
 */
export const VALIDATOR_IMPORTS = {
  Shapes: "type",
  Validator: "type",
  MAX_DEPTH: "value",
  addShapes: "value",
  classify: "value",
  hasItems: "value",
  hasLength: "value",
  isArray: "value",
  isArrayOf: "value",
  isBetween: "value",
  isBoolean: "value",
  isInteger: "value",
  isMapOf: "value",
  isNever: "value",
  isNumber: "value",
  isObject: "value",
  isOptionalBoolean: "value",
  isOptionalObject: "value",
  isOptionalString: "value",
  isString: "value",
  matches: "value",
  ownMember: "value",
  validator: "value",
} as const satisfies Readonly<Record<string, ImportKind>>;

/** Names that methods.ts, client.ts and server.ts may import from the runtime; for an extension, messages.ts. */
const STUB_IMPORTS = {
  ClientBase: "value",
  ClientOptions: "type",
  CustomNotification: "type",
  CustomRequest: "type",
  GivenParams: "type",
  HandlerContext: "type",
  InputRequired: "type",
  MembersOf: "type",
  MethodFamily: "type",
  Middleware: "type",
  NotificationHandler: "type",
  PageOptions: "type",
  RequestHandler: "type",
  RequestOptions: "type",
  Revision: "type",
  RevisionSummary: "type",
  ServerBase: "value",
  ServerOptions: "type",
  SetOptional: "type",
  clientHandshake: "value",
  clientStateless: "value",
  customNotification: "value",
  customRequest: "value",
  errorProjection: "value",
  givenParams: "value",
  givenResult: "value",
  methodTable: "value",
  notification: "value",
  onDemand: "value",
  optional: "value",
  request: "value",
  serverHandshake: "value",
  serverStateless: "value",
} as const satisfies Readonly<Record<string, ImportKind>>;

/** All names that generated code may import from the runtime module made for it. */
export const RUNTIME_IMPORTS = { ...VALIDATOR_IMPORTS, ...STUB_IMPORTS };

export type RuntimeName = keyof typeof RUNTIME_IMPORTS;

/** Handwritten rules of the runtime for the translation of messages, by their names in the facts. */
export const RULES: readonly string[] = [
  "elicitationId",
  "elicitationModes",
  "formField",
  "jsonText",
  "objectContent",
  "objectSchema",
  "requiredFields",
  "samplingContent",
  "samplingMessages",
  "taskPayload",
  "textNote",
  "toolTitle",
];

/** Default specifier of the module for all other names. */
export const RUNTIME = "@mcp-codegen/runtime/codegen";
