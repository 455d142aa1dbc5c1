import { expand, UriTemplate as RuntimeTemplate } from "@mcp-codegen/runtime/uri-template";

/** The values of a template's variables. */
export type Variables = Record<string, string | string[]>;

/** A URI template (RFC 6570) that can be matched and expanded. */
export class UriTemplate {
  private readonly _template: RuntimeTemplate;

  /** True if the text contains an expression in braces. */
  static isTemplate(text: string): boolean {
    return /\{[^}\s]+\}/.test(text);
  }

  /**
   * Parses a template.
   * @throws TypeError if the template is invalid
   */
  constructor(template: string) {
    this._template = new RuntimeTemplate(template);
  }

  get variableNames(): string[] {
    return [...this._template.variables];
  }

  toString(): string {
    return this._template.template;
  }

  expand(variables: Variables): string {
    return expand(this._template.template, variables);
  }

  /** Returns the values of the variables in a URI, still percent-encoded, or null if the URI does not match. */
  match(uri: string): Variables | null {
    const found = this._template.match(uri);
    if (found === undefined) return null;
    const values = Object.entries(found.raw).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      values.map(([name, value]) => [name, typeof value === "string" ? value : [...value!]]),
    );
  }
}
