declare module 'jstat' {
  export const jStat: {
    readonly gamma: { cdf(x: number, shape: number, scale: number): number };
  };
}
