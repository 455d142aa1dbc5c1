type ImportKind = "type" | "value";

/** The names that validators.ts may import from the runtime. A schema must not declare any of them. */
export const VALIDATOR_IMPORTS = {
  FormatTests: "type",
  Validator: "type",
  MAX_DEPTH: "value",
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

export const SHAPE_IMPORTS = {
  Shapes: "type",
  addShapes: "value",
  allOf: "value",
  anyOf: "value",
  anything: "value",
  array: "value",
  between: "value",
  boolean: "value",
  deep: "value",
  formatted: "value",
  integer: "value",
  literal: "value",
  matching: "value",
  maybe: "value",
  nothing: "value",
  number: "value",
  object: "value",
  recursive: "value",
  reference: "value",
  sized: "value",
  string: "value",
  tagged: "value",
} as const satisfies Readonly<Record<string, ImportKind>>;

/** The names that methods.ts, client.ts and server.ts (or messages.ts, in an extension) may import from the runtime. */
const STUB_IMPORTS = {
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
  ServerOptions: "type",
  SetOptional: "type",
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
} as const satisfies Readonly<Record<string, ImportKind>>;

/**
 * The names that client.ts and server.ts import from separate runtime modules, so that programs load only one side and
 * one kind of conversation.
 */
export const SIDES = {
  client: { base: "ClientBase", initialize: "clientHandshake", discover: "clientStateless" },
  server: { base: "ServerBase", initialize: "serverHandshake", discover: "serverStateless" },
} as const;

/** The names that `@mcp-codegen/sdk` needs to build its schema constants from validators and shapes. */
const SCHEMA_IMPORTS = {
  Issue: "type",
  Shape: "type",
  Trace: "type",
  descriptionOf: "value",
  explain: "value",
  explainPart: "value",
  pointerNames: "value",
  shapeOf: "value",
} as const;

export const RUNTIME_IMPORTS = {
  ...VALIDATOR_IMPORTS,
  ...SHAPE_IMPORTS,
  ...STUB_IMPORTS,
  ...SCHEMA_IMPORTS,
};

export type RuntimeName = keyof typeof RUNTIME_IMPORTS;

/** The handwritten rules for translating messages, by their names in the facts. */
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

export const RUNTIME = "@mcp-codegen/runtime/codegen";

/**
 * Returns the specifier of one side's module, such as `runtime/codegen/session-client`. The file extension of `runtime`
 * is kept.
 */
export function sideModule(
  runtime: string,
  lifecycle: "initialize" | "discover",
  side: "client" | "server",
): string {
  const kind = lifecycle === "initialize" ? "session" : "stateless";
  return runtime.replace(/(\.[jt]s)?$/, `/${kind}-${side}$1`);
}
