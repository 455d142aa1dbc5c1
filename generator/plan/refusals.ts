import type { Diagnostics, Span } from "../diagnostics.js";
import type { Protocol } from "../link/protocol.js";
import { EXTENSION_ID_RULE, isIdentifier, isRevisionId, REVISION_ID_RULE } from "./ids.js";
import { RESERVED_NAMES } from "./reserved-names.js";
import type { SidePlan } from "./revision-plan.js";

export interface Report {
  readonly diagnostics: Diagnostics;
  readonly file: string;
}

export function refuseRevision(revision: string, report: Report): void {
  if (isRevisionId(revision)) return;
  refuse(report, "MCG5001", undefined, {
    message: `${JSON.stringify(revision)} cannot be a revision: ${REVISION_ID_RULE}.`,
    hint: "For example: draft",
  });
}

/**
 * Rejects declarations with names that generated code cannot declare, because the generator keeps the schema's names
 * unchanged.
 */
export function refuseDeclarations({ declarations }: Protocol, report: Report): void {
  for (const { name, span } of declarations) {
    const reserved = RESERVED_NAMES.get(name);
    if (reserved !== undefined) {
      refuse(report, "MCG5002", span, {
        message: `The name ${name} is taken: ${reserved}.`,
        hint: "Rename the declaration in the schema; generated code keeps the names of the schema.",
      });
    } else if (!isIdentifier(name)) {
      refuse(report, "MCG5003", span, {
        message: `${name} cannot name a function, so there can be no validator of this type.`,
        hint: "Rename the declaration in the schema; it is a reserved word of JavaScript modules.",
      });
    }
  }
}

export function refuseStubs(
  { stubs, className }: SidePlan,
  protocol: Protocol,
  report: Report,
): void {
  const types = new Map<string, string>();
  const all = stubs.flatMap(({ name, method, pager }) => [
    { name, method },
    ...(pager ? [{ name: pager.name, method }] : []),
  ]);
  for (const { name, method } of all) {
    const rival = types.get(name);
    if (rival !== undefined) {
      const declaration = protocol.declarations.find((candidate) => candidate.name === method.type);
      refuse(report, "MCG5004", declaration?.span, {
        message: `${className}.${name} would send both ${rival} and ${method.type}.`,
        hint: "Rename one of the two message types in the schema.",
      });
    }
    types.set(name, method.type);
  }
}

/**
 * Rejects methods that share their name with a property that every object inherits. Handlers are looked up in an
 * object, so such a method would always appear to have a handler.
 */
export function refuseMethods({ methods, declarations }: Protocol, report: Report): void {
  for (const { method, type } of methods) {
    if (!(method in {})) continue;
    refuse(report, "MCG5005", declarations.find(({ name }) => name === type)?.span, {
      message: `The method ${JSON.stringify(method)} has the name of a member of every object.`,
      hint: "Rename the method, for example to a name with a slash.",
    });
  }
}

export function refuseExtensionId(id: string, report: Report): void {
  refuse(report, "MCG5006", undefined, {
    message: `${JSON.stringify(id)} cannot be the id of an extension: ${EXTENSION_ID_RULE}.`,
    hint: "For example: com.example/maps",
  });
}

export function refuseForeignMethods(
  { methods, declarations }: Protocol,
  extended: Protocol,
  report: Report,
): void {
  const { revision, traits } = extended;
  for (const { method, type, kind, from, channel } of methods) {
    const span = declarations.find(({ name }) => name === type)?.span;
    if (extended.methods.some((other) => other.method === method)) {
      refuse(report, "MCG5007", span, {
        message: `\`${method}\` is a message of ${revision} already.`,
        hint: "Choose another method; an extension cannot change the messages of a revision.",
      });
    }
    if (channel === "embedded") {
      refuse(report, "MCG5008", span, {
        message: `${type} cannot travel inside of results: only the requests of a revision do.`,
        hint: "List it in another union, or remove it.",
      });
    } else if (kind === "request" && from !== "client" && traits.serverRequests !== "wire") {
      refuse(report, "MCG5009", span, {
        message: `${type} cannot be sent by a server: in ${revision} servers send no requests.`,
        hint: "Declare a request of the client, or a notification of the server.",
      });
    }
  }
}

function refuse(
  { diagnostics, file }: Report,
  code: string,
  span: Span | undefined,
  text: { readonly message: string; readonly hint: string },
): void {
  diagnostics.add({ code, severity: "error", ...text, file, ...(span && { span }) });
}
