/** The parts of the command line that other packages' commands share: `mcp-codegen/cli`. */
export { bundledRevision, packageVersion } from "../bundled/bundled.js";
export { CHANGE_CLASSES, type ChangeClass } from "../diff/changes.js";
export type { ServerDescription, ServerField } from "../docs/collect/server.js";
export { sha256 } from "../fingerprint/sha256.js";
export { NOT_REGULAR, readText } from "../load/read-bytes.js";
export { checkPaths, problemOfName } from "../output/paths.js";
export { compare } from "../output/compare.js";
export { type OutputFolder, readInventory } from "../output/inventory.js";
export { refusePath } from "../output/paths.js";
export { commandLine, optionWords } from "../plan/command-line.js";
export { isLoopback } from "../pull/check-url.js";
export { place } from "../pull/place.js";
export { classLines, classSummary, failsOn } from "./change-classes.js";
export type { Context, Values } from "./command.js";
export type { LockedClient } from "./contract-package.js";
export { cannotListen, usageError } from "./explain-usage.js";
export type { Generation } from "./run/generation.js";
export type { Mode } from "./run/generate-report.js";
export { withInterruption } from "./run/login.js";
export { hostServerNames } from "./host-servers.js";
export { endAtSignals, readPort, untilInterrupted } from "./serving.js";
export { EXIT, type Outcome } from "./outcome.js";
export { loadServerSite, loadWriting } from "./load-part.js";
export { inCommand } from "./read-input.js";
export { unknownRevision } from "./revision-source.js";
export {
  expand,
  MASK,
  readHeaders,
  readVariables,
  storedLogin,
  withoutSecrets,
} from "./secrets.js";
export {
  cannotReach,
  type NamedServer,
  readServer,
  readServers,
  readServerUrl,
  secretsIn,
} from "./server-address.js";
export { suggest } from "./suggest.js";
export { paint, renderJson, type Text } from "./text.js";
export { count } from "./text.js";
