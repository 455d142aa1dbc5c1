/**
 * Parameters as who asks gives them: of a required `_meta`, the engine writes what the protocol demands, and all of its
 * members may be left out.
 */
export type GivenParams<Params> = Params extends { readonly _meta: infer Meta }
  ? Flat<
      { [Name in keyof Params as Name extends "_meta" ? never : Name]: Params[Name] } & {
        _meta?: Partial<Meta>;
      }
    >
  : Params;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };
