/**
 * What a line on a terminal needs while a run goes on, without what reads exports and draws reports: that takes 15 MB of memory,
 * which a process beside a benchmark does without until the run is over.
 */
export { recognisedServers, type ServerKind } from './servers.ts';
export type { Headline } from './watched.ts';
