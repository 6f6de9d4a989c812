/** Plans the probes of a search for the load that a server sustains within limits. No clock, no network, no files. */

export type { BoundarySettings } from './boundary/boundarySettings.ts';
export { type Boundary, estimateBoundary, type Interval } from './boundary/estimateBoundary.ts';
export { planBoundary } from './boundary/planBoundary.ts';
export { type DesignSettings, type Direction, findBest, planDesign } from './design/planDesign.ts';
export { fitIsotonic, type WeightedValue } from './isotonic.ts';
export type { Budget, Dimension, Probe, ProbeStep, Step, StopReason, Verdict } from './search.ts';
