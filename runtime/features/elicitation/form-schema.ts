/** A field for text, possibly one of fixed options. */
export interface TextField {
  readonly type: "string";
  readonly title?: string;
  readonly description?: string;
  /** Length in characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: "email" | "uri" | "date" | "date-time";
  readonly enum?: readonly string[];
  /**
   * Labels of the options in `enum`.
   * @deprecated Deprecated since 2025-11-25: give the choices as `oneOf`, each with `const` and `title`.
   */
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly Option[];
  readonly default?: string;
}

export interface NumberField {
  readonly type: "number" | "integer";
  readonly title?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface BooleanField {
  readonly type: "boolean";
  readonly title?: string;
  readonly description?: string;
  readonly default?: boolean;
}

/** A field for any number of fixed options. */
export interface ChoicesField {
  readonly type: "array";
  readonly title?: string;
  readonly description?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items:
    | { readonly type: "string"; readonly enum: readonly string[] }
    | { readonly anyOf: readonly Option[] };
  readonly default?: readonly string[];
}

export interface Option {
  readonly const: string;
  readonly title: string;
}

export type FormField = TextField | NumberField | BooleanField | ChoicesField;

/**
 * Schema of a form: one flat object (MCP: elicitation, requested schema). The kinds of fields
 * differ between revisions; this type has those of all.
 */
export interface FormSchema {
  readonly $schema?: string;
  readonly type: "object";
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
}

export type FormValue = string | number | boolean | readonly string[];

/** Content of a form, by field. */
export type FormContent = Readonly<Record<string, FormValue>>;
