import { pointerOf, replaceScalars } from "./json-text.js";
import { parsed } from "./json-value.js";

/**
 * Matches the names of header fields, members, options, variables and query parameters whose values are masked by
 * default.
 */
const SECRET_NAME =
  /^(?:(?:.*[-_])?(?:authorization|cookie|token|secret|password|passwd|passphrase|pwd|key|code|credentials?)|mcp-session-id)$/;
/**
 * Matches names that also match {@link SECRET_NAME} although their values are not secret and are needed for checks and
 * replays.
 */
const HARMLESS_NAME =
  /^(?:progress[-_]token|(?:error|status|country|language|zip|postal)[-_]code)$/;
/** Matches the pointer to an error code, which is never masked. */
const HARMLESS_POINTER = /^(?:\/\d+)?\/error\/code$/;
/** Matches tokens in well-known forms, which are masked wherever they occur. */
const KNOWN_FORM =
  /\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abposr]-|AKIA|eyJ[\w-]+\.eyJ)[\w.-]{12,}/g;
/** Matches URL query parameters within text. The groups are everything before the value, the name, and the value. */
const QUERY = /([?&]([\w.-]+)=)([^&#\s"'<>]+)/g;
const SCHEME = /\b(Bearer|Basic|DPoP)([ \t]+)([\w.~+/=-]{8,})/gi;
/** The minimum length of a secret that is also masked within other text, in characters. */
const SHORTEST_PART = 6;
/** The maximum number of masked values that are remembered. A forgotten value gets a new mark. */
const REMEMBERED = 10_000;
/** The maximum number of discovered secrets to search for in other text. Configured secrets do not count. */
const SEARCHED = 200;
/** Matches the mark that replaces a masked value. */
export const MARK = /«masked:\d+»/;

export interface MaskOptions {
  /**
   * Additional values to mask, given as names of members or header fields, or as JSON pointers into messages in which
   * `*` stands for any member.
   */
  readonly masks?: readonly string[] | undefined;
  /** The secrets to mask wherever they occur. */
  readonly secrets?: readonly string[] | undefined;
}

/** Replaces secrets with marks. Equal values usually get the same mark, so that a replay still matches. */
export interface Masks {
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  /** Masks the secrets in JSON text; all other characters are kept. */
  json(text: string): string;
  /** Masks the secrets in a command and its arguments. */
  command(words: readonly string[]): readonly string[];
  /** Masks the user, password and query values in a URL, and removes its fragment. */
  url(text: string): string;
  /** Masks the secrets in any text. */
  text(text: string): string;
}

/** True if a value contains a mark, which means that its type and content are unknown. */
export function isMasked(value: unknown): boolean {
  return typeof value === "string" && MARK.test(value);
}

/** True if values with this name are masked by default. */
export function isSecretName(name: string): boolean {
  const plain = plainName(name);
  return SECRET_NAME.test(plain) && !HARMLESS_NAME.test(plain);
}

export function createMasks(options: MaskOptions = {}): Masks {
  const given = options.masks ?? [];
  const names = new Set(given.filter((mask) => !mask.startsWith("/")).map(plainName));
  const pointers = given.filter((mask) => mask.startsWith("/")).map((mask) => mask.split("/"));
  const marks = new Map<string, string>();
  /** The configured secrets, followed by the most recently discovered ones. */
  const searched = new Map<string, string>();
  /** The secrets in `searched`, with the longest first so that a longer secret is not masked only in part. */
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
    // Named secrets are masked first, so that they are then also found within other strings.
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
 * Normalizes a name: `accessToken` and `ACCESS_TOKEN` become `access_token`. Keeps dashes, and removes the prefix `x-`.
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

/** Masks the values in `token=…` and `"token": "…"` within text. */
function assignments(text: string, named: Named): string {
  return text.replace(
    /([\w-]+)("?\s*[=:]\s*"?)([^\s"',;&]+)/g,
    (_, name: string, between: string, value: string) =>
      `${name}${between}${isSecretName(name) && !SCHEMES.test(value) ? named(name, value) : value}`,
  );
}
const SCHEMES = /^(?:Bearer|Basic|DPoP)$/i;

/**
 * Masks secret values in a command's arguments: those in `--token x`, `--token=x`, `TOKEN=x` and `Authorization: x`,
 * and those in URLs.
 */
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
