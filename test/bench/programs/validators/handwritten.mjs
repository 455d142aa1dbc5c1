// Handwritten checks for these five messages. They apply the same rules to the members, but give no reasons and do not
// ask whether a member is the object's own.

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isOptionalObject = (value) => value === undefined || isObject(value);
const isOptionalString = (value) => value === undefined || typeof value === "string";
const isOptionalBoolean = (value) => value === undefined || typeof value === "boolean";
const isStringOrInteger = (value) => typeof value === "string" || Number.isInteger(value);

function isArrayOf(value, isItem) {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (!isItem(value[index])) return false;
  return true;
}

function isStrings(value) {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) {
    if (typeof value[index] !== "string") return false;
  }
  return true;
}

function isMapOfObjects(value) {
  if (!isObject(value)) return false;
  for (const name in value) if (!isObject(value[name])) return false;
  return true;
}

const isRequest = (value, method) =>
  isObject(value) &&
  value.jsonrpc === "2.0" &&
  value.method === method &&
  isStringOrInteger(value.id);

const isRequestMeta = (value) =>
  isObject(value) && (value.progressToken === undefined || isStringOrInteger(value.progressToken));

const isTask = (value) =>
  isObject(value) && (value.ttl === undefined || Number.isInteger(value.ttl));

const isCallToolParams = (value) =>
  isObject(value) &&
  (value["_meta"] === undefined || isRequestMeta(value["_meta"])) &&
  (value.task === undefined || isTask(value.task)) &&
  typeof value.name === "string" &&
  isOptionalObject(value.arguments);

const isIcon = (value) =>
  isObject(value) &&
  typeof value.src === "string" &&
  isOptionalString(value.mimeType) &&
  (value.sizes === undefined || isStrings(value.sizes)) &&
  (value.theme === undefined || value.theme === "light" || value.theme === "dark");

const isOptionalIcons = (value) => value === undefined || isArrayOf(value, isIcon);

const isSchema = (value) =>
  isObject(value) &&
  isOptionalString(value.$schema) &&
  value.type === "object" &&
  (value.properties === undefined || isMapOfObjects(value.properties)) &&
  (value.required === undefined || isStrings(value.required));

const isExecution = (value) =>
  isObject(value) &&
  (value.taskSupport === undefined ||
    value.taskSupport === "forbidden" ||
    value.taskSupport === "optional" ||
    value.taskSupport === "required");

const isToolAnnotations = (value) =>
  isObject(value) &&
  isOptionalString(value.title) &&
  isOptionalBoolean(value.readOnlyHint) &&
  isOptionalBoolean(value.destructiveHint) &&
  isOptionalBoolean(value.idempotentHint) &&
  isOptionalBoolean(value.openWorldHint);

const isTool = (value) =>
  isObject(value) &&
  typeof value.name === "string" &&
  isOptionalString(value.title) &&
  isOptionalIcons(value.icons) &&
  isOptionalString(value.description) &&
  isSchema(value.inputSchema) &&
  (value.execution === undefined || isExecution(value.execution)) &&
  (value.outputSchema === undefined || isSchema(value.outputSchema)) &&
  (value.annotations === undefined || isToolAnnotations(value.annotations)) &&
  isOptionalObject(value["_meta"]);

const isListToolsResult = (value) =>
  isObject(value) &&
  isOptionalObject(value["_meta"]) &&
  isOptionalString(value.nextCursor) &&
  isArrayOf(value.tools, isTool);

const isRole = (value) => value === "user" || value === "assistant";

const isAnnotations = (value) =>
  isObject(value) &&
  (value.audience === undefined || isArrayOf(value.audience, isRole)) &&
  (value.priority === undefined ||
    (typeof value.priority === "number" && value.priority >= 0 && value.priority <= 1)) &&
  isOptionalString(value.lastModified);

const isResourceContents = (value) =>
  isObject(value) &&
  typeof value.uri === "string" &&
  isOptionalString(value.mimeType) &&
  isOptionalObject(value["_meta"]) &&
  (typeof value.text === "string" || typeof value.blob === "string");

const isResourceLink = (value) =>
  typeof value.name === "string" &&
  isOptionalString(value.title) &&
  isOptionalIcons(value.icons) &&
  typeof value.uri === "string" &&
  isOptionalString(value.description) &&
  isOptionalString(value.mimeType) &&
  (value.size === undefined || Number.isInteger(value.size));

const isMedia = (value) => typeof value.data === "string" && typeof value.mimeType === "string";

function isOfItsKind(value) {
  switch (value.type) {
    case "text":
      return typeof value.text === "string";
    case "image":
    case "audio":
      return isMedia(value);
    case "resource_link":
      return isResourceLink(value);
    case "resource":
      return isResourceContents(value.resource);
    default:
      return false;
  }
}

const isContentBlock = (value) =>
  isObject(value) &&
  isOfItsKind(value) &&
  (value.annotations === undefined || isAnnotations(value.annotations)) &&
  isOptionalObject(value["_meta"]);

const isCallToolResult = (value) =>
  isObject(value) &&
  isOptionalObject(value["_meta"]) &&
  isArrayOf(value.content, isContentBlock) &&
  isOptionalObject(value.structuredContent) &&
  isOptionalBoolean(value.isError);

const isImplementation = (value) =>
  isObject(value) &&
  typeof value.name === "string" &&
  isOptionalString(value.title) &&
  isOptionalIcons(value.icons) &&
  typeof value.version === "string" &&
  isOptionalString(value.description) &&
  isOptionalString(value.websiteUrl);

const isRoots = (value) => isObject(value) && isOptionalBoolean(value.listChanged);
const isSampling = (value) =>
  isObject(value) && isOptionalObject(value.context) && isOptionalObject(value.tools);
const isElicitation = (value) =>
  isObject(value) && isOptionalObject(value.form) && isOptionalObject(value.url);
const isTaskRequests = (value) =>
  isObject(value) &&
  (value.sampling === undefined ||
    (isObject(value.sampling) && isOptionalObject(value.sampling.createMessage))) &&
  (value.elicitation === undefined ||
    (isObject(value.elicitation) && isOptionalObject(value.elicitation.create)));
const isTasks = (value) =>
  isObject(value) &&
  isOptionalObject(value.list) &&
  isOptionalObject(value.cancel) &&
  (value.requests === undefined || isTaskRequests(value.requests));

const isCapabilities = (value) =>
  isObject(value) &&
  (value.experimental === undefined || isMapOfObjects(value.experimental)) &&
  (value.roots === undefined || isRoots(value.roots)) &&
  (value.sampling === undefined || isSampling(value.sampling)) &&
  (value.elicitation === undefined || isElicitation(value.elicitation)) &&
  (value.tasks === undefined || isTasks(value.tasks));

const isInitializeParams = (value) =>
  isObject(value) &&
  (value["_meta"] === undefined || isRequestMeta(value["_meta"])) &&
  typeof value.protocolVersion === "string" &&
  isCapabilities(value.capabilities) &&
  isImplementation(value.clientInfo);

function isJson(value, depth) {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  return Array.isArray(value) ? isJsonArray(value, depth) : isJsonObject(value, depth);
}

function isJsonArray(value, depth) {
  if (depth < 1) return false;
  for (let index = 0; index < value.length; index++) {
    if (!isJson(value[index], depth - 1)) return false;
  }
  return true;
}

function isJsonObject(value, depth) {
  if (!isObject(value) || depth < 1) return false;
  for (const name in value) if (!isJson(value[name], depth - 1)) return false;
  return true;
}

const isOptionalJson = (value) => value === undefined || isJsonObject(value, 64);
const isOptionalJsonPair = (value, one, other) =>
  value === undefined ||
  (isObject(value) && isOptionalJson(value[one]) && isOptionalJson(value[other]));

function isOptionalMapOfJson(value) {
  if (value === undefined) return true;
  if (!isObject(value)) return false;
  for (const name in value) if (!isJsonObject(value[name], 64)) return false;
  return true;
}

const isStatelessCapabilities = (value) =>
  isObject(value) &&
  isOptionalMapOfJson(value.experimental) &&
  isOptionalObject(value.roots) &&
  isOptionalJsonPair(value.sampling, "context", "tools") &&
  isOptionalJsonPair(value.elicitation, "form", "url") &&
  isOptionalMapOfJson(value.extensions);

const levels = new Set([
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
]);

function isStatelessParams(value) {
  if (!isObject(value)) return false;
  const meta = value["_meta"];
  if (!isRequestMeta(meta)) return false;
  const info = meta["io.modelcontextprotocol/clientInfo"];
  const level = meta["io.modelcontextprotocol/logLevel"];
  return (
    typeof meta["io.modelcontextprotocol/protocolVersion"] === "string" &&
    (info === undefined || isImplementation(info)) &&
    isStatelessCapabilities(meta["io.modelcontextprotocol/clientCapabilities"]) &&
    (level === undefined || levels.has(level))
  );
}

const checks = {
  CallToolRequest: (value) => isRequest(value, "tools/call") && isCallToolParams(value.params),
  ListToolsResult: isListToolsResult,
  CallToolResult: isCallToolResult,
  InitializeRequest: (value) => isRequest(value, "initialize") && isInitializeParams(value.params),
  DiscoverRequest: (value) =>
    isRequest(value, "server/discover") && isStatelessParams(value.params),
};

export const check = (_revision, type) => checks[type];
