import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type InterfaceDeclaration, Project, type SourceFile } from "ts-morph";
import { root } from "../support/pack.js";

/** The newest schema, to be changed into that of a revision that does not exist. */
export class Draft {
  readonly #file: SourceFile;

  /** @param added - declarations that follow those of the schema */
  constructor(added = "") {
    const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
    const text = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8");
    this.#file = project.createSourceFile("schema.ts", text + added);
  }

  get text(): string {
    return this.#file.getFullText();
  }

  get interfaces(): readonly InterfaceDeclaration[] {
    return this.#file.getInterfaces();
  }

  /** Adds arms to a union. */
  extend(alias: string, ...arms: readonly string[]): this {
    const union = this.#file.getTypeAliasOrThrow(alias);
    union.setType([union.getTypeNodeOrThrow().getText(), ...arms].join(" | "));
    return this;
  }

  /** Removes arms of a union. */
  drop(alias: string, ...arms: readonly string[]): this {
    const union = this.#file.getTypeAliasOrThrow(alias);
    const all = union.getTypeNodeOrThrow().getText().split("|");
    const kept = all.map((arm) => arm.trim()).filter((arm) => arm && !arms.includes(arm));
    union.setType(kept.join(" | "));
    return this;
  }

  /** Adds a member to an interface; a `?` after its name makes it optional. */
  member(owner: string, name: string, type: string, doc: string): this {
    const hasQuestionToken = name.endsWith("?");
    const plain = name.replace(/\?$/, "");
    this.#file
      .getInterfaceOrThrow(owner)
      .addProperty({ name: plain, hasQuestionToken, type, docs: [doc] });
    return this;
  }

  /** Makes an optional member required. */
  require(owner: string, name: string): this {
    this.#file.getInterfaceOrThrow(owner).getPropertyOrThrow(name).setHasQuestionToken(false);
    return this;
  }

  removeMember(owner: string, name: string): this {
    this.#file.getInterfaceOrThrow(owner).getPropertyOrThrow(name).remove();
    return this;
  }

  rename(owner: string, name: string): this {
    this.#file.getInterfaceOrThrow(owner).rename(name);
    return this;
  }

  remove(...owners: readonly string[]): this {
    for (const owner of owners) this.#file.getInterfaceOrThrow(owner).remove();
    return this;
  }
}
