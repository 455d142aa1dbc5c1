import { isObject } from "../../wire/index.js";

/** Settings of an extension that a side has declared; undefined when it has not. */
export function declaredSettings(
  capabilities: object,
  id: string,
): Readonly<Record<string, unknown>> | undefined {
  const { extensions } = capabilities as { readonly extensions?: unknown };
  const settings =
    isObject(extensions) && Object.hasOwn(extensions, id) ? extensions[id] : undefined;
  return isObject(settings) ? settings : undefined;
}
