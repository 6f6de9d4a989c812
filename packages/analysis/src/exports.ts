/** Parts of server metrics documents that depend on the meaning of metrics. Kept separate, because exports need nothing else of this package. */
export { createDerivedBlock } from './derived/derivedBlock.ts';
export { listUnusableMetrics } from './findings/unusableMetricsBlock.ts';
export { findServerVersions } from './servers/serverVersions.ts';
