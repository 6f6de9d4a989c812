export { parseClassic } from './classic.ts';
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
export { ACCEPT, type ExpositionFormat, formatOf, mediaType } from './format.ts';
export { parseOpenMetrics } from './openmetrics.ts';
export { ExpositionReader, type Reading } from './reader.ts';
export type { LeftOut } from './slots.ts';
