/** The part of jStat 1.9 that is used here; jStat has no types. */
declare module 'jstat' {
  interface Distributions {
    /** Student's t: the probability of a value at or below x, and its inverse. */
    readonly studentt: { cdf(x: number, degrees: number): number; inv(p: number, degrees: number): number };
    readonly normal: { cdf(x: number, mean: number, deviation: number): number };
  }
  const module: { readonly jStat: Distributions };
  export = module;
}
