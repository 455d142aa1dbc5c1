import type { LinkContext } from "./context.js";
import type { Conventions, ErrorCode, Traits } from "./protocol.js";

/** The default conventions for revisions without a handshake, which are those of the newest revision. */
export const DEFAULT_CONVENTIONS: Conventions = {
  http: "streamable",
  versionHeader: true,
  polling: false,
  toolInputErrors: "result",
  fallbackStatuses: [400, 404, 405],
  methodHeaders: true,
  errorStatuses: {
    METHOD_NOT_FOUND: 404,
    HEADER_MISMATCH: 400,
    MISSING_REQUIRED_CLIENT_CAPABILITY: 400,
    UNSUPPORTED_PROTOCOL_VERSION: 400,
  },
  reservedErrors: [-32768, -32000],
};

/**
 * The default conventions for revisions with a handshake. Method headers are unnecessary, because the sides know each
 * other. Errors have no statuses of their own, because clients take a 404 to mean that the session has ended.
 */
export const HANDSHAKE_CONVENTIONS: Conventions = {
  ...DEFAULT_CONVENTIONS,
  methodHeaders: false,
  errorStatuses: {},
  reservedErrors: [],
};

const isBoolean = (value: unknown): boolean => typeof value === "boolean";

const ADMITS: Readonly<Record<keyof Conventions, (value: unknown) => boolean>> = {
  http: (value) => value === "streamable" || value === "sse",
  versionHeader: isBoolean,
  polling: isBoolean,
  toolInputErrors: (value) => value === "error" || value === "result",
  fallbackStatuses: (value) =>
    value === "4xx" || (Array.isArray(value) && value.length > 0 && value.every(isClientError)),
  methodHeaders: isBoolean,
  errorStatuses: (value) =>
    typeof value === "object" &&
    !Array.isArray(value) &&
    Object.values(value!).every(isClientError),
  reservedErrors: (value) =>
    Array.isArray(value) &&
    (value.length === 0 || (value.length === 2 && value.every(Number.isInteger))),
};

/**
 * Returns the conventions stated by the facts, with defaults for the rest. For an extension, the defaults are the
 * conventions of the protocol that it extends.
 */
export function conventions(
  codes: readonly ErrorCode[],
  lifecycle: Traits["lifecycle"] | undefined,
  context: LinkContext,
): Conventions {
  const stated: Record<string, unknown> = {};
  context.facts.conventions?.forEach(({ convention, value }, index) => {
    const fact = ["conventions", index];
    if (!Object.hasOwn(ADMITS, convention) || !ADMITS[convention](value)) {
      context.report({
        code: "MCG3068",
        message: `There is no convention \`${convention}\` with the value ${JSON.stringify(value)}.`,
        hint: `The conventions are ${Object.keys(ADMITS).join(", ")}; see schema/facts.schema.json for their values.`,
        fact,
      });
    } else if (Object.hasOwn(stated, convention)) {
      context.report({
        code: "MCG3069",
        message: `The convention \`${convention}\` is stated twice.`,
        hint: "Remove one of the facts.",
        fact,
      });
    } else if (convention === "errorStatuses") {
      checkNames(Object.keys(value), codes, index, context);
    }
    stated[convention] = value;
  });
  const newest = lifecycle === "discover" ? DEFAULT_CONVENTIONS : HANDSHAKE_CONVENTIONS;
  const defaults = context.extended?.conventions ?? {
    ...newest,
    errorStatuses: ofKnown(codes, newest.errorStatuses),
  };
  return { ...defaults, ...stated };
}

function ofKnown(
  codes: readonly ErrorCode[],
  statuses: Conventions["errorStatuses"],
): Conventions["errorStatuses"] {
  const known = Object.entries(statuses).filter(([status]) =>
    codes.some(({ name }) => name === status),
  );
  return Object.fromEntries(known);
}

function checkNames(
  names: readonly string[],
  codes: readonly ErrorCode[],
  index: number,
  context: LinkContext,
): void {
  for (const unknown of names.filter((name) => codes.every((code) => code.name !== name))) {
    context.report({
      code: "MCG3062",
      message: `The fact is about the error code ${unknown}, which this revision does not have.`,
      hint: "Correct the name, or remove the fact.",
      fact: ["conventions", index, "value", unknown],
    });
  }
}

function isClientError(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 400 && (value as number) < 500;
}
