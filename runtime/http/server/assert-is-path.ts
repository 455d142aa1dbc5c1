import { quote } from "../../wire/index.js";

/** @throws TypeError for what no request could have as its path */
export function assertIsPath(path: string, option: string): void {
  if (/^\/[\x21-\x7e]*$/.test(path) && !/[?#]/.test(path)) return;
  throw new TypeError(`${option}: ${quote(path)} is not a path such as "/mcp"`);
}
