/** The exports of this package that run in a browser. */
export { max, mean, sum } from './math.ts';
export { type Curve, type CurvePoint, computeThroughputLatencyCurves } from './sweep/curve.ts';
