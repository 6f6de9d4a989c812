/** What we use of jStat 1.9, which has no types of its own. */
declare module 'jstat' {
  interface Distributions {
    /** Student's t: probability of a value at or below x, and the value of a probability. */
    readonly studentt: { cdf(x: number, degrees: number): number; inv(p: number, degrees: number): number };
    readonly normal: { cdf(x: number, mean: number, deviation: number): number };
  }
  const module: { readonly jStat: Distributions };
  export = module;
}
