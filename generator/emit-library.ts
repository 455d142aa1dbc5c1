/**
 * The printer for generated code, and the emitter for types and checks: `mcp-codegen/emit`, for packages that generate
 * their own code.
 */
export { EMPTY, code, join, type Code } from "./emit/printer/code.js";
export { escapeComment, escapeInvisible } from "./emit/printer/code.js";
export { identifier } from "./emit/printer/code.js";
export { Imports } from "./emit/printer/module.js";
export { docText, jsDoc } from "./emit/printer/doc.js";
export { literal, memberName, objectKey } from "./emit/printer/code.js";
export { codeBlock, codeCell, codeSpan, htmlText, inlineText } from "./emit/printer/page-text.js";
export { print, printModule } from "./emit/printer/module.js";
export {
  importType,
  importTypeNamespace,
  importValue,
  type ImportedSymbol,
} from "./emit/printer/code.js";
export { runtimeSymbol } from "./emit/runtime-symbol.js";
export type { Check, MemberCheck } from "./emit/validators/check.js";
export { allOf, anyOf, runtimeTest, valueKind } from "./emit/validators/check.js";
export type { Runtime } from "./emit/validators/condition.js";
export { discriminant } from "./emit/validators/discriminant.js";
export { Functions } from "./emit/validators/functions.js";
export { printFunctions, validatorModule } from "./emit/validators/print-functions.js";
export { printShapes } from "./emit/validators/shapes.js";
export { format } from "./format/format.js";
export { isIdentifier } from "./plan/ids.js";
export { RUNTIME } from "./plan/runtime-imports.js";
