import { formatCount, formatNumber } from '@org/core';
import { sum } from '../math.ts';
import { countClosedByClient, readClientFailures } from '../run/clientFailures.ts';
import type { Run } from '../run/run.ts';
import { readStat } from '../run/series.ts';
import { readObservations } from '../servers/observations.ts';
import {
  computeTotal,
  findServerInstances,
  type ServerInstance,
  sumCounts,
} from '../servers/serverInstance.ts';
import type { Evidence, Thresholds } from './rule.ts';

/**
 * Finds servers on which more requests were aborted than the load generator cancelled. Aborts that it explains
 * are not reported.
 */
export function findUnexplainedAborts(run: Run, limits: Thresholds<'total' | 'share'>): Evidence[] {
  const client = readClientFailures(run);
  const explained = client ? countClosedByClient(client) : 0;
  const instances = findServerInstances(run);
  return [...new Set(instances.map(({ server }) => server))].flatMap(server => {
    const ofServer = selectFirstReceivers(instances.filter(instance => instance.server === server));
    const counted = sumCounts(ofServer.flatMap(listAborts));
    const missing = sum(ofServer.map(instance => countMissing(instance, limits.share)));
    const aborted = counted + missing;
    if (aborted - explained <= limits.total) return [];
    const texts = [
      `${server} counted ${formatCount(counted, 'aborted request')}`,
      ...(missing > 0
        ? [`at least ${formatNumber(missing)} more started, but did not end and do not run`]
        : []),
      ...(client ? [`${explained} were cancelled or timed out on the client`] : []),
    ];
    return [
      {
        text: texts.join('; '),
        numbers: { aborted, explained, ...(missing > 0 && { uncounted: missing }) },
        magnitude: aborted - explained,
      },
    ];
  });
}

/**
 * Selects the instances that receive requests from clients: the frontends, which count completed requests, without the
 * workers that process the same requests. Without a frontend, all instances are selected.
 */
function selectFirstReceivers(instances: readonly ServerInstance[]): readonly ServerInstance[] {
  const receivers = instances.filter(({ series }) => series('completedRequests').length > 0);
  return receivers.length > 0 ? receivers : instances;
}

function listAborts({ failures }: ServerInstance): ServerInstance['failures'] {
  return failures.filter(({ isCancellation }) => isCancellation);
}

/**
 * Counts the requests that had a first token, but neither ended nor run, as a lower bound. vLLM does not count most
 * requests whose clients close the connection. The number of running requests at the end is at most its maximum.
 * Requests that started before the period reduce the result.
 */
function countMissing(instance: ServerInstance, maxShare: number): number {
  const started = readObservations(instance.series('timeToFirstToken'))?.count;
  const ended = computeTotal(instance, 'completedRequests');
  const running = instance.series('running').map(series => readStat(series, 'max'));
  if (started === undefined || ended === undefined || running.length === 0) return 0;
  if (running.some(value => value === undefined)) return 0;
  const missing = started - ended - sum(running as readonly number[]);
  return missing > maxShare * started ? missing : 0;
}
