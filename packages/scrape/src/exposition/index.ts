/** Parsing of the Prometheus text format 0.0.4 and OpenMetrics 1.0. */
export type { Reading } from './bodyState.ts';
export { parseClassic } from './classicParser.ts';
export type { ExpositionFormat } from './contentType.ts';
export {
  type BadLine,
  type DeclaredType,
  type Exemplar,
  type Exposition,
  ExpositionError,
  type ParseOptions,
  type Sample,
  type SampleFamily,
} from './exposition.ts';
export { ExpositionReader } from './expositionReader.ts';
export { parseOpenMetrics } from './openMetricsParser.ts';
export { type Placement, placeSamples } from './samplePlacement.ts';
