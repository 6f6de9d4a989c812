/** The part of jStat 1.9 that this package uses. jStat has no type declarations. */
declare module 'jstat' {
  interface Distributions {
    /** Student's t: the value of a probability. */
    readonly studentt: { inv(p: number, degrees: number): number };
  }
  const module: { readonly jStat: Distributions };
  export = module;
}
