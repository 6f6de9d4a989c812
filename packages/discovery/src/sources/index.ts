/** Sources whose endpoints change during a run. Kept separate, because most runs do not use them. */
export { Discovery, type ResolvedSources, type SourceCheck } from './discovery.ts';
export type { DiscoveryInputs } from './preparedSource.ts';
export { SourceError } from './sourceError.ts';
