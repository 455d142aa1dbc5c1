import { describe, expect, it } from "vitest";
import { createHttpHandler, createSseHandler } from "../../../runtime/http/server/index.js";
import { MemoryEventStore } from "../../../runtime/http/server/sharing/index.js";
import { OPTION_KINDS } from "../../../runtime/http/server/options.js";
import { ToyServer } from "./toy-server.js";

const makers = { createHttpHandler, createSseHandler };

describe.each(Object.entries(makers))("the options of %s", (name, make) => {
  const given = (options: unknown) => (): unknown => make(new ToyServer().server, options as never);

  it("are rejected if misspelt, so that no server is open by mistake", () => {
    expect(given({ autenticate: () => ({ principal: "a" }) })).toThrow(
      `"autenticate" is not an option of ${name}. Did you mean "authenticate"?`,
    );
    expect(given({ constructor: 1 })).toThrow(
      `"constructor" is not an option of ${name}. The options are`,
    );
  });

  it.each<[string, unknown, string]>([
    [
      "authenticate",
      "x",
      'authenticate must be a function, or an authenticator such as resourceServer(), not "x"',
    ],
    ["onerror", null, 'onerror must be a function, not "null"'],
    ["maxBodyBytes", "4 MB", 'maxBodyBytes must be a number, not "4 MB"'],
    ["keepAlive", Number.NaN, 'keepAlive must be a number, not "NaN"'],
    ["sessions", "no", 'sessions must be a boolean, or SharedSessions, not "no"'],
    ["allowedHeaders", "X-A", 'allowedHeaders must be a list of strings, not "X-A"'],
    ["responses", "sse", 'responses must be "auto" or "events" or "json", not "sse"'],
    ["duplicateKeys", true, 'duplicateKeys must be "last" or "refuse", not "true"'],
    ["eventStore", "memory", 'eventStore must be an object or null, not "memory"'],
  ])("are checked: %s", (option, value, problem) => {
    expect(given({ [option]: value })).toThrow(new TypeError(`${name}: ${problem}`));
  });

  it("are an object", () => {
    for (const options of [null, "json", []]) {
      expect(given(options)).toThrow(`${name}: the options must be an object`);
    }
  });

  it("may be passed to both handlers, and may be undefined", () => {
    const nothing = Object.fromEntries(Object.keys(OPTION_KINDS).map((one) => [one, undefined]));
    expect(given(nothing)).not.toThrow();
    const some = { eventStore: new MemoryEventStore(), messagePath: "/to", keepAlive: Infinity };
    expect(given({ ...some, allowedHeaders: [], responses: "json" })).not.toThrow();
    expect(given({ eventStore: null })).not.toThrow();
  });

  it("include the server: a missing one is reported", () => {
    for (const server of [undefined, null]) {
      expect(() => make(server as never)).toThrow("This handler needs a server");
    }
  });
});
