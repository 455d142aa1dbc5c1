import { readFileSync } from "node:fs";

const folder = new URL("../../../../generated/", import.meta.url);

/**
 * Creates a JSON Schema of a revision's type, with everything that it refers to, from the revision's `protocol.json`.
 */
export function jsonSchema(revision, root) {
  const { declarations } = JSON.parse(readFileSync(new URL(`${revision}/protocol.json`, folder)));
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const $defs = {};
  define(root);
  return { $ref: `#/$defs/${root}`, $defs };

  function define(name) {
    if (name in $defs) return;
    $defs[name] = {};
    const declaration = byName.get(name);
    $defs[name] =
      declaration.kind === "alias"
        ? schemaOf(declaration.type, declaration.constraints)
        : objectOf([...membersOf(name).values()], declaration.index);
  }

  /** Returns the members, including those of the bases, which an interface may declare again. */
  function membersOf(name) {
    const { extends: bases = [], members = [] } = byName.get(name);
    const inherited = bases.flatMap((base) => [...membersOf(base)]);
    return new Map([...inherited, ...members.map((member) => [member.name, member])]);
  }

  function objectOf(members, index) {
    const required = members.filter(({ optional }) => !optional).map(({ name }) => name);
    const additional = index && index.type !== "unknown" ? schemaOf(index.type) : undefined;
    return {
      type: "object",
      properties: Object.fromEntries(
        members.map(({ name, type, constraints }) => [name, schemaOf(type, constraints)]),
      ),
      ...(required.length > 0 && { required }),
      ...(additional && { additionalProperties: additional }),
    };
  }

  function schemaOf(type, { number = "integer", ...limits } = {}) {
    if (type.const !== undefined) return { const: type.const };
    if (type.typeof) return { const: byName.get(type.typeof).value };
    if (type.array) return { type: "array", items: schemaOf(type.array) };
    if (type.map) return objectOf([], { type: type.map });
    if (type.members) return objectOf(type.members, type.index);
    if (type.anyOf) return unionOf(type.anyOf);
    if (type === "unknown") return {};
    if (type === "number") return { type: number, ...limits };
    if (["string", "boolean", "null", "object"].includes(type)) return { type };
    if (!byName.has(type)) throw new Error(`No JSON Schema for ${JSON.stringify(type)}`);
    define(type);
    return { $ref: `#/$defs/${type}` };
  }

  /**
   * Returns the schema of a union. Numbers beside booleans may be fractions, because such a union stands for JSON
   * scalars.
   */
  function unionOf(types) {
    if (types.every((arm) => arm.const !== undefined)) {
      return { enum: types.map((arm) => arm.const) };
    }
    const number = types.includes("boolean") ? "number" : "integer";
    return { anyOf: types.map((arm) => schemaOf(arm, { number })) };
  }
}
