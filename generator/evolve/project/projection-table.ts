import type { JsonValue } from "../../link/protocol.js";

/** How messages of the newest revision become those of another one, and back; only what differs is in it. */
export interface ProjectionTable {
  /** Id of the revision. */
  readonly revision: string;
  /** By wire method. */
  readonly methods: Readonly<Record<string, MethodShapes>>;
  /** By name; the names say where in the newest revision the shape belongs. */
  readonly shapes: Readonly<Record<string, Shape>>;
}

/** Names of shapes. */
export interface MethodShapes {
  readonly params?: string;
  readonly result?: string;
}

/** What is different about the values at one place. */
export interface Shape {
  /** Members that the revision lacks. */
  readonly drop?: readonly string[];
  /** The same, where nothing is lost with them. */
  readonly strip?: readonly string[];
  /** The same, where the message would mean something else without them. */
  readonly refuse?: readonly string[];
  /** Members that the newest revision requires and this one lacks, and what their absence means. */
  readonly supply?: Readonly<Record<string, JsonValue>>;
  /** Shapes of members. */
  readonly members?: Readonly<Record<string, string>>;
  /** Those of them that the revision requires. */
  readonly requires?: readonly string[];
  /** Shape of all members that are not named. */
  readonly each?: string;
  /** Shape of the items of an array. */
  readonly items?: string;
  /** Shapes by kind of JSON value; null for a kind that the revision does not admit. */
  readonly kinds?: Readonly<Record<string, string | null>>;
  /** Strings that the revision does not admit. */
  readonly lacks?: readonly string[];
  /** Member that tells the arms of a union apart. */
  readonly tag?: string;
  /** Shapes by value of the tag, or by name of the type where there is none; null for an arm that is lacking. */
  readonly arms?: Readonly<Record<string, string | null>>;
  /** What a value without the tag is. */
  readonly untagged?: string | null;
  /** What cannot be said is an error, instead of left out. */
  readonly isRefused?: true;
  /** Name of the handwritten rule that deals with it. */
  readonly rule?: string;
}
