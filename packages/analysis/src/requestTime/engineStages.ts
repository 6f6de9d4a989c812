import { createMeasuredPart, isNothing, isPlausible, type Part } from './part.ts';
import type { ServerTimes } from './serverTimes.ts';
import { subtractTimes } from './timeSum.ts';

/** Splits the time of a server into its queue, prefill, decode and the rest, as far as it measured them. */
export function splitServer(times: ServerTimes, unknown: string[]): readonly Part[] {
  const { request } = times;
  const stages = listStages(times);
  const rest: Part = {
    stage: 'server',
    time: subtractTimes(
      request,
      stages.map(({ time }) => time),
    ),
  };
  if (stages.length === 0) return [rest];
  // Differences that end with the request leave no rest.
  if (isNothing(rest.time, request)) return stages;
  if (isPlausible(rest.time, request)) return [...stages, rest];
  unknown.push('stages: their sum is longer than the request');
  return [createMeasuredPart('server', request)];
}

/** Lists the stages of a server. Without engines, those of a frontend come before its time to the first token. */
function listStages(times: ServerTimes): Part[] {
  const { request, firstToken, queue, prefill, decode, preprocess, route } = times;
  const decodePart: Part[] = decode
    ? [createMeasuredPart('decode', decode)]
    : firstToken
      ? [{ stage: 'decode', time: subtractTimes(request, [firstToken]) }]
      : [];
  const prefillPart: Part[] = prefill
    ? [createMeasuredPart('prefill', prefill)]
    : firstToken && queue
      ? [{ stage: 'prefill', time: subtractTimes(firstToken, [queue]) }]
      : [];
  if (queue && prefillPart.length > 0)
    return [createMeasuredPart('queue', queue), ...prefillPart, ...decodePart];
  if (!firstToken) return decodePart;
  const own = [
    ...(preprocess ? [createMeasuredPart('preprocess', preprocess)] : []),
    ...(route ? [createMeasuredPart('route', route)] : []),
  ];
  if (own.length === 0) return [createMeasuredPart('first_token', firstToken), ...decodePart];
  const waiting = subtractTimes(
    firstToken,
    own.map(({ time }) => time),
  );
  return [...own, { stage: 'first_token', time: waiting }, ...decodePart];
}
