/** What we use of jStat 1.9, which has no types of its own. */
declare module 'jstat' {
  interface Distributions {
    /** Student's t: the value of a probability. */
    readonly studentt: { inv(p: number, degrees: number): number };
  }
  const module: { readonly jStat: Distributions };
  export = module;
}
