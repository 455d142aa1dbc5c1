import { pointerOf, replaceScalars } from "./json-text.js";
import { parsed } from "./json-value.js";

/** Names of header fields, members, options, variables and query parameters whose values are masked by default. */
const SECRET_NAME =
  /^(?:(?:.*[-_])?(?:authorization|cookie|token|secret|password|passwd|passphrase|pwd|key|code|credentials?)|mcp-session-id)$/;
/** Members with such a name that contain no secret, and that a check or a replay needs. */
const HARMLESS_NAME = /^(?:progress_token|(?:error|status|country|language|zip|postal)_code)$/;
/** The code of an error, whatever its type. */
const HARMLESS_POINTER = /^(?:\/\d+)?\/error\/code$/;
/** Tokens with a well-known form, wherever they are. */
const KNOWN_FORM =
  /\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abposr]-|AKIA|eyJ[\w-]+\.eyJ)[\w.-]{12,}/g;
/** Query parameter of a URL in a text: the parameter up to its value, its name, and its value. */
const QUERY = /([?&]([\w.-]+)=)([^&#\s"'<>]+)/g;
const SCHEME = /\b(Bearer|Basic|DPoP)([ \t]+)([\w.~+/=-]{8,})/gi;
/** Shortest secret that is also masked where it is a part of another text. */
const SHORTEST_PART = 6;
/** Maximum number of remembered values; a value that has been forgotten is assigned a new mark. */
const REMEMBERED = 10_000;
/**
 * Maximum number of discovered secrets, the latest ones, that are searched for in texts; configured
 * secrets are always searched for.
 */
const SEARCHED = 200;
/** Mark in place of a masked value. */
export const MARK = /«masked:\d+»/;

export interface MaskOptions {
  /**
   * Names of members or header fields, or JSON Pointers into messages (`*` stands for any member), that are masked in addition
   * to the default ones.
   */
  readonly masks?: readonly string[] | undefined;
  /** Secrets that are masked wherever they occur. */
  readonly secrets?: readonly string[] | undefined;
}

/** Replaces secrets with marks. Equal values are replaced with the same mark, so that a replay still matches. */
export interface Masks {
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  /** Text of a JSON value, changed only where a value is masked. */
  json(text: string): string;
  /** Command with its arguments. */
  command(words: readonly string[]): readonly string[];
  /** URL without user, password and fragment; the values of its query are masked. */
  url(text: string): string;
  /** Text that is not JSON. Secrets that have been masked before are found in it. */
  text(text: string): string;
}

/** True for a value that contains a mark: its type and content are unknown. */
export function isMasked(value: unknown): boolean {
  return typeof value === "string" && MARK.test(value);
}

/** True if values of this name are masked by default. */
export function isSecretName(name: string): boolean {
  const plain = plainName(name);
  return SECRET_NAME.test(plain) && !HARMLESS_NAME.test(plain);
}

export function createMasks(options: MaskOptions = {}): Masks {
  const given = options.masks ?? [];
  const names = new Set(given.filter((mask) => !mask.startsWith("/")).map(plainName));
  const pointers = given.filter((mask) => mask.startsWith("/")).map((mask) => mask.split("/"));
  const marks = new Map<string, string>();
  /** Configured secrets, then the latest discovered ones. */
  const searched = new Map<string, string>();
  /** The same secrets, longest first, so that a secret is not masked as part of a longer one. */
  let longestFirst: readonly (readonly [value: string, mark: string])[] | undefined;
  let pinned = Number.POSITIVE_INFINITY;
  let count = 0;

  const isNamed = (name: string): boolean => isSecretName(name) || names.has(plainName(name));
  const mark = (value: string): string => {
    if (value === "" || MARK.test(value)) return value;
    let found = marks.get(value);
    if (found === undefined) {
      found = `«masked:${++count}»`;
      marks.set(value, found);
      if (value.length >= SHORTEST_PART) searched.set(value, found);
      longestFirst = undefined;
      if (searched.size > SEARCHED + pinned) searched.delete([...searched.keys()][pinned]!);
      if (marks.size > REMEMBERED) marks.delete(marks.keys().next().value!);
    }
    return found;
  };
  for (const secret of options.secrets ?? []) mark(secret);
  pinned = searched.size;

  /** Masks secrets that are a part of a text. */
  const parts = (text: string): string => {
    let masked = text
      .replace(SCHEME, (_, scheme, space, value) => `${scheme}${space}${mark(value)}`)
      .replace(KNOWN_FORM, mark)
      .replace(QUERY, (whole, start: string, name: string, value: string) =>
        isNamed(name) ? `${start}${mark(value)}` : whole,
      );
    longestFirst ??= [...searched].toSorted(([one], [other]) => other.length - one.length);
    for (const [value, found] of longestFirst) {
      if (masked.includes(value)) masked = masked.replaceAll(value, found);
    }
    return masked;
  };
  const named = (name: string, value: string): string =>
    isNamed(name) ? mark(value) : parts(value);

  const json = (text: string): string => {
    // Those with a name are known before the texts in which they may be repeated.
    const first = replaceScalars(text, (path, literal) => {
      const name = path.at(-1);
      if (typeof name !== "string" || ["null", "true", "false"].includes(literal)) return;
      const isAtPointer = pointers.some((pointer) => matches(pointer, path));
      if (!isAtPointer && (!isNamed(name) || HARMLESS_POINTER.test(pointerOf(path)))) return;
      return JSON.stringify(
        mark(literal.startsWith('"') ? (JSON.parse(literal) as string) : literal),
      );
    });
    return replaceScalars(first, (_, literal) => {
      if (!literal.startsWith('"')) return;
      const value = JSON.parse(literal) as string;
      const masked = isJson(value) ? json(value) : parts(value);
      return masked === value ? undefined : JSON.stringify(masked);
    });
  };

  return {
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, named(name, value)]),
      ),
    json,
    command: (words) => commandWords(words, named, url),
    url,
    text: (text) => (isJson(text) ? json(text) : parts(assignments(text, named))),
  };

  function url(text: string): string {
    if (!URL.canParse(text)) return parts(text);
    const address = new URL(text);
    const query = [...address.searchParams].map(
      ([name, value]) => `${encodeURIComponent(name)}=${mark(value)}`,
    );
    const user =
      address.username === "" && address.password === ""
        ? ""
        : `${mark(`${address.username}:${address.password}`)}@`;
    const place = parts(`${address.host}${address.pathname}`);
    return `${address.protocol}//${user}${place}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  }
}

/**
 * Name in one notation: `access_token` for `accessToken`, `ACCESS_TOKEN` and `access-token`; the names of header fields
 * keep their dashes.
 */
function plainName(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .toLowerCase()
    .replace(/^x-/, "");
}

function matches(pointer: readonly string[], path: readonly (string | number)[]): boolean {
  return (
    pointer.length === path.length + 1 &&
    path.every((part, index) => {
      const wanted = pointer[index + 1]!.replaceAll("~1", "/").replaceAll("~0", "~");
      return wanted === "*" || wanted === String(part);
    })
  );
}

function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text) && parsed(text) !== undefined;
}

type Named = (name: string, value: string) => string;

/** Masks `token=…` and `"token": "…"` in a text. */
function assignments(text: string, named: Named): string {
  return text.replace(
    /([\w-]+)("?\s*[=:]\s*"?)([^\s"',;&]+)/g,
    (_, name: string, between: string, value: string) =>
      `${name}${between}${isSecretName(name) && !SCHEMES.test(value) ? named(name, value) : value}`,
  );
}
const SCHEMES = /^(?:Bearer|Basic|DPoP)$/i;

/** Masks `--token x`, `--token=x`, `TOKEN=x`, `Authorization: x` and URLs among the arguments of a command. */
function commandWords(
  words: readonly string[],
  named: Named,
  url: (text: string) => string,
): readonly string[] {
  return words.map((word, index) => {
    const [, option] = /^--?([\w-]+)$/.exec(words[index - 1] ?? "") ?? [];
    if (option !== undefined && !word.startsWith("-")) {
      const masked = named(option, word);
      if (masked !== word) return masked;
    }
    const [, name, between, value] = /^-{0,2}([\w-]+)(=|:\s*)(.+)$/s.exec(word) ?? [];
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return url(word);
    if (name !== undefined && between !== undefined && value !== undefined) {
      const start = word.slice(0, word.length - value.length);
      return `${start}${/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? url(value) : named(name, value)}`;
    }
    return named("", word);
  });
}
