import type { Span } from "../diagnostics.js";

/** The content of a schema.ts as plain JSON: an exact model of its syntax, in source order. */
export interface SchemaModel {
  readonly file: string;
  readonly sha256: string;
  /** The imported declarations (see {@link Import}) and everything that they refer to, followed by the file's own. */
  readonly declarations: readonly Declaration[];
  readonly imports?: readonly Import[];
}

/** A single name in `import type { Name as Local } from "specifier"`. */
export interface Import {
  readonly name: string;
  readonly as: string;
  readonly from: string;
  readonly span: Span;
}

export type Declaration = InterfaceDeclaration | AliasDeclaration | ConstDeclaration;

interface DeclarationBase {
  readonly name: string;
  readonly doc?: Doc;
  /** The heading of the current section, such as `Tools` for the block comment `/* Tools *\/`. */
  readonly section?: string;
  /** The origin of an imported declaration. All of the declaration's spans are those of the import. */
  readonly imported?: ImportOrigin;
  readonly span: Span;
}

export interface ImportOrigin {
  readonly from: string;
  readonly name: string;
}

export interface InterfaceDeclaration extends DeclarationBase, ObjectShape {
  readonly kind: "interface";
  /** The bases, in source order. */
  readonly extends: readonly TypeExpression[];
}

export interface AliasDeclaration extends DeclarationBase {
  readonly kind: "alias";
  readonly type: TypeExpression;
  readonly constraints?: Constraints;
}

export interface ConstDeclaration extends DeclarationBase {
  readonly kind: "const";
  readonly value: string | number;
}

export interface ObjectShape {
  readonly members: readonly Member[];
  readonly index?: IndexSignature;
}

export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeExpression;
  readonly constraints?: Constraints;
  readonly doc?: Doc;
  readonly span: Span;
}

export interface IndexSignature {
  readonly keyName: string;
  readonly type: TypeExpression;
  readonly doc?: Doc;
  readonly span: Span;
}

export type TypeExpression =
  | KeywordType
  | LiteralType
  | TypeofType
  | ReferenceType
  | ArrayType
  | UnionType
  | IntersectionType
  | ObjectType
  | RecordType
  | OmitType;

export interface KeywordType {
  readonly kind: "keyword";
  /** The keyword. `any` and `unknown` mean the same on the wire, but not to a compiler. */
  readonly name: "string" | "number" | "boolean" | "null" | "unknown" | "any" | "never" | "object";
  readonly span: Span;
}

export interface LiteralType {
  readonly kind: "literal";
  readonly value: string | number | boolean;
  readonly span: Span;
}

/** `typeof CONST` */
export interface TypeofType {
  readonly kind: "typeof";
  readonly name: string;
  readonly span: Span;
}

export interface ReferenceType {
  readonly kind: "reference";
  readonly name: string;
  readonly span: Span;
}

export interface ArrayType {
  readonly kind: "array";
  readonly element: TypeExpression;
  readonly span: Span;
}

export interface UnionType {
  readonly kind: "union";
  readonly members: readonly TypeExpression[];
  readonly span: Span;
}

export interface IntersectionType {
  readonly kind: "intersection";
  readonly members: readonly TypeExpression[];
  readonly span: Span;
}

export interface ObjectType extends ObjectShape {
  readonly kind: "object";
  readonly span: Span;
}

/** `Record<string, T>` */
export interface RecordType {
  readonly kind: "record";
  readonly value: TypeExpression;
  readonly span: Span;
}

/** `Omit<T, "a" | "b">`, where `T` has no index signature. */
export interface OmitType {
  readonly kind: "omit";
  readonly base: TypeExpression;
  readonly keys: readonly string[];
  readonly span: Span;
}

/** The tags that restrict which values are valid on the wire. */
export interface Constraints {
  /** `@TJS-type`: `number` admits fractions. Default: integers only, except in a union with `boolean`. */
  readonly number?: "number" | "integer";
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** `@pattern`: a regular expression with the flag `u`, which must match somewhere in the string. */
  readonly pattern?: string;
  /** `@format`. Only formats known to the runtime are enforced. */
  readonly format?: string;
}

export interface Doc {
  readonly text: string;
  readonly tags: readonly DocTag[];
}

export interface DocTag {
  readonly name: string;
  readonly text: string;
}
