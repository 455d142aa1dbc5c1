import { isObject, quote } from "../../wire/index.js";
import { isAuthenticator } from "./authentication.js";
import { OPTION_KINDS, type OptionKind } from "./options.js";

/**
 * An option that is misspelt would be one that is not there: a server without `authenticate` lets everybody in. Those
 * of the other kind of handler may be there, so that both can be given the same.
 *
 * @param caller - for messages: `createHttpHandler`
 * @throws TypeError for options that there are not, and for values that they cannot have
 */
export function assertOptions(options: unknown, caller: string): void {
  if (!isObject(options)) throw new TypeError(`${caller}: the options are an object`);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTION_KINDS, name)) {
      const names = Object.keys(OPTION_KINDS).join(", ");
      throw new TypeError(`${caller}: there is no option ${quote(name)}; there are ${names}`);
    }
    const kind = OPTION_KINDS[name as keyof typeof OPTION_KINDS];
    if (value === undefined || isOfKind(value, kind)) continue;
    throw new TypeError(`${caller}: ${name} takes ${describe(kind)}, not ${quote(String(value))}`);
  }
}

function isOfKind(value: unknown, kind: OptionKind): boolean {
  switch (kind) {
    case "checked":
      return true;
    case "number":
      return typeof value === "number" && !Number.isNaN(value);
    case "strings":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "object or null":
      return typeof value === "object";
    case "authenticator":
      return isAuthenticator(value);
    case "sharing":
      return typeof value === "boolean" || (isObject(value) && "events" in value);
    case "boolean":
    case "function":
      return typeof value === kind;
    default:
      return kind.includes(value as string);
  }
}

function describe(kind: OptionKind): string {
  if (typeof kind !== "string") return kind.map((one) => quote(one)).join(" or ");
  if (kind === "strings") return "a list of strings";
  if (kind === "authenticator") return "a function, or an authenticator such as resourceServer()";
  if (kind === "sharing") return "a boolean, or SharedSessions";
  return kind === "object or null" ? "an object or null" : `a ${kind}`;
}
