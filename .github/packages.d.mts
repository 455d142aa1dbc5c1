export interface Package {
  /** Folder relative to the repository; `.` for the command line. */
  readonly folder: string;
  readonly name: string;
  readonly manifest: PackageManifest;
  /** True if the generator writes the package, its version included. */
  readonly isGenerated: boolean;
  /** Names of the packages that it needs once installed, those of others included. */
  readonly needs: readonly string[];
}

export interface PackageManifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export declare const root: string;
export declare const packages: readonly Package[];
