import type { ServerDefinition } from '@org/servers';
import type { Run } from '../run/run.ts';
import { isSameCount } from './counts.ts';
import { splitServer } from './engineStages.ts';
import { createMeasuredPart, isNothing, isPlausible, type Part } from './part.ts';
import type { ServerTimes } from './serverTimes.ts';
import { subtractTimes, type TimeSum } from './timeSum.ts';

/**
 * Splits the time of frontends, and of the engines that they forward requests to. Returns undefined if the engines did
 * not process the same requests.
 */
export function splitFrontend(
  run: Run,
  definitions: readonly ServerDefinition[],
  frontends: ServerTimes,
  engines: ServerTimes,
  unknown: string[],
): readonly Part[] | undefined {
  const [outer, inner] = [frontends.request.requests, engines.request.requests];
  const isShared = inner > outer && countComponents(run, definitions) > 1;
  const time = subtractTimes(frontends.request, [engines.request]);
  if ((isSameCount(outer, inner) || isShared) && isPlausible(time, frontends.request))
    return [...splitOwnTime(time, frontends, engines, unknown), ...splitServer(engines, unknown)];
  unknown.push(
    isSameCount(outer, inner)
      ? `engines: ${engines.servers.join(' and ')} measured longer requests than ${frontends.servers.join(' and ')}`
      : `engines: ${frontends.servers.join(' and ')} completed ${outer} requests, ${engines.servers.join(' and ')} ${inner}`,
  );
  return undefined;
}

/** Splits the time that requests spent in frontends, but not in engines, into the stages that frontends measured. */
function splitOwnTime(
  time: TimeSum,
  frontends: ServerTimes,
  engines: ServerTimes,
  unknown: string[],
): readonly Part[] {
  const { preprocess, route } = frontends;
  const transport = computeTransport(frontends, engines);
  const stages: Part[] = [
    ...(preprocess ? [createMeasuredPart('preprocess', preprocess)] : []),
    ...(route ? [createMeasuredPart('route', route)] : []),
    ...(transport ? [{ stage: 'transport' as const, time: transport }] : []),
  ];
  const rest = subtractTimes(
    time,
    stages.map(part => part.time),
  );
  if (isPlausible(rest, frontends.request))
    return isNothing(rest, frontends.request) ? stages : [...stages, { stage: 'frontend', time: rest }];
  unknown.push('stages of the frontend: their sum is longer than its time');
  return [{ stage: 'frontend', time }];
}

/**
 * The time from frontends to engines, and back with the first token: the round trip until the first token without the time
 * to first token of the engines. Undefined if the round trips were not those of the requests that the engines measured.
 */
function computeTransport({ roundTrip }: ServerTimes, { firstToken }: ServerTimes): TimeSum | undefined {
  if (!roundTrip || !firstToken || !isSameCount(roundTrip.requests, firstToken.requests)) return undefined;
  const time = subtractTimes(roundTrip, [firstToken]);
  return isPlausible(time, roundTrip) ? time : undefined;
}

/** Counts the kinds of workers, such as prefill and decode, that process each request one after the other. */
function countComponents({ families }: Run, definitions: readonly ServerDefinition[]): number {
  const names = definitions.flatMap(({ component }) =>
    component
      ? (families.get(component.metric)?.series ?? []).map(({ labels }) => labels[component.label])
      : [],
  );
  return new Set(names.filter(name => name !== undefined)).size;
}
