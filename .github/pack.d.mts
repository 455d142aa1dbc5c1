import type { Package } from "./packages.mjs";

export interface Packed {
  readonly name: string;
  readonly folder: string;
  readonly tarball: string;
  readonly files: readonly string[];
  /** Bytes on disk once installed. */
  readonly unpackedSize: number;
}

export declare function pack(
  chosen: readonly Package[],
  destination: string,
  repository?: string,
): Promise<Packed[]>;

export declare function withDependencies(
  names: readonly string[],
): readonly (Package & { readonly archive: string })[];
