import type { ServerDefinition } from '@org/servers';
import type { Run } from '../run/run.ts';
import { isSameCount } from './counts.ts';
import { readStageTime, type StageTime } from './stageTime.ts';

/** The histograms of all frontends, or of all engines, of a run. */
export interface ServerTimes {
  /** Names of the servers that measured the whole request. */
  readonly servers: readonly string[];
  /** From the arrival of a request to its end. */
  readonly request: StageTime;
  /** From the arrival to the first token. */
  readonly firstToken: StageTime | undefined;
  readonly queue: StageTime | undefined;
  readonly prefill: StageTime | undefined;
  readonly decode: StageTime | undefined;
  /** In a frontend, before it selects an engine. */
  readonly preprocess: StageTime | undefined;
  /** The selection of an engine. */
  readonly route: StageTime | undefined;
  /** From the departure of a request to an engine to the arrival of its first token. */
  readonly roundTrip: StageTime | undefined;
}

/**
 * Reads the histograms of servers. Returns undefined if none measured whole requests. A stage that was measured for
 * another number of requests is left out, and a sentence is added to `unknown`.
 */
export function readServerTimes(
  run: Run,
  definitions: readonly ServerDefinition[],
  unknown: string[],
): ServerTimes | undefined {
  const request = readStageTime(
    run,
    definitions.flatMap(({ reconciliation }) => reconciliation.latency),
  );
  if (!request) return undefined;
  const read = (
    name: string,
    select: (definition: ServerDefinition) => Parameters<typeof readStageTime>[1],
  ): StageTime | undefined => {
    const time = readStageTime(run, definitions.flatMap(select));
    if (!time || isSameCount(time.requests, request.requests)) return time;
    unknown.push(
      `${name}: measured for ${time.requests} requests, the whole request for ${request.requests}`,
    );
    return undefined;
  };
  return {
    servers: definitions
      .filter(({ reconciliation }) => readStageTime(run, reconciliation.latency))
      .map(({ name }) => name),
    request,
    firstToken: read('time to first token', ({ reconciliation }) => reconciliation.firstToken),
    queue: read('queue', ({ reconciliation }) => reconciliation.queue),
    prefill: read('prefill', ({ stages }) => stages?.prefill ?? []),
    decode: read('decode', ({ stages }) => stages?.decode ?? []),
    preprocess: read('preprocessing', ({ stages }) => stages?.preprocess ?? []),
    route: read('routing', ({ stages }) => stages?.route ?? []),
    roundTrip: read('transport to engines', ({ stages }) => stages?.roundTrip ?? []),
  };
}
