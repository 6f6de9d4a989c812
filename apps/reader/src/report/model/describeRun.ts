import { type Run, recognizeServers } from '@org/analysis';
import { formatRoundedDuration } from '@org/core';
import type { Load } from './runLoad.ts';

/** Describes the load and the servers, such as `model · 12 requests/s (Poisson), 256 tokens in · vLLM · 60 s`. */
export function describeRun(run: Run, { models, description }: Load): string {
  const { endpoints, times } = run;
  const names = recognizeServers(run).map(({ name }) => name);
  const seconds = times.profilingSeconds ?? times.seconds;
  const parts = [
    models.join(', '),
    description,
    endpoints.length > 1 ? `${names.join(' and ')} on ${endpoints.length} endpoints` : names.join(' and '),
    seconds === undefined ? '' : formatRoundedDuration(seconds),
  ];
  return parts.filter(part => part !== '').join(' · ');
}
