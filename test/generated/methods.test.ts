import { describe, expect, it } from "vitest";
import { Shapes } from "../../generator/model/shape.js";
import { planFamilies } from "../../generator/plan/families.js";
import type { Method as Row, Revision } from "../../runtime/wire/revision/revision.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";

describe.each(bundled)("%s", async (name) => {
  const protocol = protocolOf(name);
  const { revision, validators } = (await import(`@mcp-codegen/${name}`)) as {
    revision: Revision;
    validators: Readonly<Record<string, Row["params"]>>;
  };

  it.each(protocol.methods)("has $method in its table as linked", (method) => {
    const { params, result, conditions } = method;
    const alternative = (when: string) =>
      result?.alternatives.find((candidate) => candidate.when === when)?.type;
    const validator = (type: string | undefined) => (type === undefined ? undefined : validators[type]);
    const { conditions: found = [], ...row } = revision.methods.get(method.method)!;
    expect(found).toEqual(conditions);
    expect(row).toEqual({
      method: method.method,
      kind: method.kind,
      from: method.from,
      channel: method.channel,
      role: method.role,
      params: validator(params?.type),
      paramsOptional: params?.optional ?? true,
      result: validator(result?.type),
      taskResult: validator(alternative("task")),
      inputResult: validator(alternative("input_required")),
      capability: method.capability,
      declares: method.declares,
      paginated: method.paginated,
      cacheable: method.cacheable,
      deprecated: method.deprecated ? expect.stringContaining("deprecated since") : undefined,
      nameHeader: method.nameHeader,
      paramHeaders: method.paramHeaders,
    });
  });

  it("has no other methods, and its own traits", () => {
    const { requestParams, notificationParams } = protocol.envelope;
    expect(revision).toEqual({
      id: name,
      traits: protocol.traits,
      conventions: protocol.conventions,
      methods: expect.any(Map),
      families: planFamilies(protocol, new Shapes(protocol.declarations)),
      errorCodes: Object.fromEntries(protocol.errorCodes.map(({ name: key, code }) => [key, code])),
      requestParams: requestParams && validators[requestParams],
      notificationParams: notificationParams && validators[notificationParams],
    });
    expect(revision.methods.size).toBe(protocol.methods.length);
  });
});

it("an inherited member name is not a method", async () => {
  for (const name of bundled) {
    const { revision } = (await import(`@mcp-codegen/${name}`)) as { revision: Revision };
    for (const member of ["constructor", "toString", "__proto__", ""]) {
      expect(revision.methods.get(member)).toBeUndefined();
    }
  }
});
