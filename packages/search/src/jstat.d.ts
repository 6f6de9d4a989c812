/** The part of jStat 1.9 that is used here; jStat has no types. */
declare module 'jstat' {
  const module: {
    readonly jStat: { readonly studentt: { inv(p: number, degrees: number): number } };
  };
  export = module;
}
