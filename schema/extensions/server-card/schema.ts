/* Types of server cards, restated: same types on the wire, with comments of its own. */

/* Card */

/** Page about a server that a client can read before it connects. What the server says itself counts for more. */
export interface ServerCard {
  /**
   * Version of the card's own format, which the last segments name.
   *
   * @format uri
   * @pattern ^https://static\.modelcontextprotocol\.io/schemas/v1/server-card\.schema\.json$
   */
  $schema: string;

  /**
   * Domain in reverse, a slash and a name: `com.example/maps`.
   *
   * @minLength 3
   * @maxLength 200
   * @pattern ^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$
   */
  name: string;

  /**
   * One version, not a range of them.
   *
   * @maxLength 255
   */
  version: string;

  /**
   * Use of the server, in a line.
   *
   * @minLength 1
   * @maxLength 100
   */
  description: string;

  /**
   * Name for people.
   *
   * @minLength 1
   * @maxLength 100
   */
  title?: string;

  /**
   * Page about the server.
   *
   * @format uri
   */
  websiteUrl?: string;

  /** Place of the source code. */
  repository?: Repository;

  /** Pictures to show with the name. */
  icons?: Icon[];

  /** Addresses of the server. */
  remotes?: Remote[];

  /** Data of vendors, under keys with their prefix. */
  _meta?: MetaObject;
}

/** Place where the source code is kept. */
export interface Repository {
  /**
   * Address for browsers and for `git clone`.
   *
   * @format uri
   */
  url: string;

  /** Service that keeps it, such as `github`. */
  source: string;

  /** Folder of the server in the repository. */
  subfolder?: string;

  /** Id that the service gave; another one under the same address is another repository. */
  id?: string;
}

/* Addresses */

/** An address under which the server answers. */
export interface Remote {
  type: "streamable-http" | "sse";

  /**
   * Address, with variables in braces.
   *
   * @pattern ^(https?://[^\s]+|\{[a-zA-Z_][a-zA-Z0-9_]*\}[^\s]*)$
   */
  url: string;

  /** Header fields that the server requires. */
  headers?: KeyValueInput[];

  /** Variables of the address by name. */
  variables?: { [key: string]: Input };

  /** Revisions of the protocol that it speaks there. */
  supportedProtocolVersions?: string[];
}

/** A value that a user provides, or that is already provided. */
export interface Input {
  /** Meaning, for the user. */
  description?: string;

  /** True when nothing works without it. */
  isRequired?: boolean;

  /** True when it must not be shown or kept in the open. */
  isSecret?: boolean;

  /** Form of the text: `filepath` is a file on the user's machine. */
  format?: "string" | "number" | "boolean" | "filepath";

  /** Value unless the user says otherwise. */
  default?: string;

  /** Example for an empty field. */
  placeholder?: string;

  /** Value that no user has to provide; variables in braces are replaced. */
  value?: string;

  /** The values to choose from. */
  choices?: string[];
}

/** A header field. */
export interface KeyValueInput extends Input {
  /** Name of the field. */
  name: string;

  /** Variables of `value` by name. */
  variables?: { [key: string]: Input };
}

/* Types of the protocol, declared again so that cards need no revision of it */

/** Data under keys with a prefix. */
export interface MetaObject {
  [key: string]: unknown;
}

/** A picture. */
export interface Icon {
  /**
   * Address, or `data:` with the picture in Base64.
   *
   * @format uri
   */
  src: string;

  /** Media type, if the response has none that is useful. */
  mimeType?: string;

  /** Sizes such as `48x48`, or `any`. */
  sizes?: string[];

  /** Background that the picture is made for. */
  theme?: "light" | "dark";
}
