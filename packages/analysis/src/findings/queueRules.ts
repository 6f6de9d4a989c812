import { formatNumber, formatPercent, formatValue } from '@org/core';
import { sum } from '../math.ts';
import { toPeriodStats } from '../run/increase.ts';
import { type Level, measureGrowth } from '../servers/level.ts';
import { findServerInstances } from '../servers/serverInstance.ts';
import type { Engine, ServingSystem } from '../servers/servingSystem.ts';
import { describeBatchCost } from './batchCost.ts';
import { createLoadRule, type Evidence, type LoadRule } from './rule.ts';
import { describeAverage, describeSystem } from './systemEvidence.ts';

/** The maximum batch size limits the number of requests. */
export const FULL_BATCH: LoadRule = createLoadRule(
  {
    id: 'full-batch',
    severity: 'warning',
    title: 'batch slots are full and the KV cache is not',
    advice: 'Increase the maximum batch size of the server, if the inter-token latency permits it.',
    thresholds: {
      waiting: { value: 1, meaning: 'minimum mean number of waiting requests' },
      usage: { value: 0.5, meaning: 'maximum usage of the KV cache, as a fraction' },
    },
  },
  (system, limits) => {
    const { engines, waiting } = system;
    if (!waiting || waiting.avg < limits.waiting) return undefined;
    const busy = engines.filter(({ running }) => (running?.max ?? 0) > 0);
    if (busy.length === 0 || !busy.every(engine => hasFullBatch(engine, system, limits.usage)))
      return undefined;
    return {
      ...describeSystem(system, describeFullBatch(busy, waiting, describeAverage(system))),
      ...adviseLargerBatch(busy[0]!),
    };
  },
);

/** The queue grows for the whole run. */
export const GROWING_QUEUE: LoadRule = createLoadRule(
  {
    id: 'growing-queue',
    severity: 'problem',
    title: 'the queue is growing',
    advice:
      'Requests arrive faster than the server completes them: reduce concurrency or request rate, or increase server capacity.',
    thresholds: {
      slices: { value: 4, meaning: 'minimum number of complete timeslices' },
      factor: { value: 1.5, meaning: 'minimum ratio of the last third of the run to the first' },
      requests: { value: 2, meaning: 'minimum growth in waiting requests' },
    },
  },
  (system, limits) => {
    const growth = system.waiting && measureGrowth(system.waiting, limits.slices);
    if (!growth) return undefined;
    const { first, last } = growth;
    if (last - first < limits.requests || last < limits.factor * first) return undefined;
    return describeSystem(system, {
      text: `${formatNumber(first)} waiting in the first third of the run, ${formatNumber(last)} in the last`,
      numbers: { first, last },
      magnitude: last - first,
    });
  },
);

/** Requests wait for an unknown reason. */
export const SERVER_BOTTLENECK: LoadRule = createLoadRule(
  {
    id: 'server-bottleneck',
    severity: 'warning',
    title: 'the server is the bottleneck',
    advice:
      'Requests wait because the server is at its limit: reduce concurrency or request rate, or increase server capacity.',
    thresholds: {
      waiting: { value: 1, meaning: 'minimum mean number of waiting requests' },
      share: { value: 0.25, meaning: 'minimum ratio of waiting to running requests' },
      waitingWithRoom: {
        value: 4,
        meaning: 'minimum mean number of waiting requests if the batch and the KV cache have room',
      },
      shareWithRoom: { value: 1, meaning: 'minimum ratio if the batch and the KV cache have room' },
    },
  },
  (system, limits) => {
    const { waiting, running } = system;
    // Without a limit that is reached, requests may wait only for the next step of the engine, or for their prefill.
    const [minWaiting, minShare] = hasRoomInBatches(system)
      ? [limits.waitingWithRoom, limits.shareWithRoom]
      : [limits.waiting, limits.share];
    if (!waiting || waiting.avg < minWaiting) return undefined;
    if (running && waiting.avg < minShare * running.avg) return undefined;
    return describeSystem(system, {
      text: describeRequests(waiting, running, describeAverage(system)),
      numbers: { waiting: waiting.avg, waiting_max: waiting.max, ...(running && { running: running.avg }) },
      magnitude: waiting.avg,
    });
  },
);

/** Requests wait in prefill workers, whose queue is not reported. */
export const PREFILL_BOTTLENECK: LoadRule = createLoadRule(
  {
    id: 'prefill-bottleneck',
    severity: 'warning',
    title: 'prefill is the bottleneck',
    advice: 'Add prefill workers, or reduce the request rate, the concurrency or the length of prompts.',
    thresholds: {
      share: { value: 0.6, meaning: 'minimum share of requests in prefill workers' },
      requests: { value: 8, meaning: 'minimum mean number of requests in prefill workers' },
    },
  },
  (system, limits) => {
    const { requestsByComponent: levels } = system;
    const prefill = levels.get('prefill')?.avg ?? 0;
    const total = sum([...levels.values()].map(({ avg }) => avg));
    if (prefill < limits.requests || prefill < limits.share * total) return undefined;
    return describeSystem(system, {
      text: `${formatNumber(prefill)} of ${formatNumber(total)} requests were in prefill workers ${describeAverage(system)}`,
      numbers: { prefill, total },
      magnitude: prefill / total,
    });
  },
);

/** Requests wait temporarily. */
export const TAIL_LATENCY: LoadRule = createLoadRule(
  {
    id: 'tail-latency',
    severity: 'warning',
    title: 'p99 latency is much higher than p50',
    advice: 'Requests queue temporarily: reduce concurrency or request rate, or increase server capacity.',
    thresholds: {
      factor: { value: 4, meaning: 'minimum ratio of p99 to p50 of the time to first token' },
      spike: { value: 3, meaning: 'minimum ratio of the maximum to the mean queue length' },
      waiting: { value: 5, meaning: 'minimum length of the longest queue' },
    },
  },
  (system, limits) => {
    const { waiting } = system;
    if (!waiting || waiting.max < limits.waiting || waiting.max < limits.spike * waiting.avg)
      return undefined;
    const [tail] = listTails(system)
      .filter(({ p50, p99 }) => p50 > 0 && p99 >= limits.factor * p50)
      .sort((a, b) => b.p99 - a.p99);
    if (!tail) return undefined;
    const { p50, p99, unit } = tail;
    return describeSystem(system, {
      text: `time to first token in the server p50 ${formatValue(p50, unit)}, p99 ${formatValue(p99, unit)}, with up to ${formatNumber(waiting.max)} waiting`,
      numbers: { p50, p99, waiting_max: waiting.max, waiting: waiting.avg },
      magnitude: p99 / p50,
    });
  },
);

function describeRequests(waiting: Level, running: Level | undefined, average: string): string {
  const runningText = running ? `, ${formatNumber(running.avg)} running` : '';
  return `${formatNumber(waiting.avg)} waiting ${average}${runningText}`;
}

/** Maximum share of the batch slots and of the KV cache that is in use while an engine has room. */
const MAX_SHARE_WITH_ROOM = 0.5;

/** Reports whether no engine is near its maximum number of requests or fills its KV cache. Both must be known. */
function hasRoomInBatches({ engines, slots }: ServingSystem): boolean {
  return (
    slots !== undefined &&
    engines.length > 0 &&
    engines.every(
      ({ running, kvCache }) =>
        (running?.max ?? Number.POSITIVE_INFINITY) <= MAX_SHARE_WITH_ROOM * slots &&
        (kvCache?.max ?? 1) <= MAX_SHARE_WITH_ROOM,
    )
  );
}

/** Reports whether an engine ran its maximum number of requests for most of the time, with room in its KV cache. */
function hasFullBatch({ running, kvCache }: Engine, { slots }: ServingSystem, maxUsage: number): boolean {
  if (!running?.isAtMax || !kvCache || kvCache.max > maxUsage) return false;
  return slots === undefined || running.max >= slots;
}

/** Names the option that limits the batch, and what larger batches cost. */
function adviseLargerBatch(engine: Engine): { readonly advice?: string } {
  const option = engine.definition.options?.maxRunning;
  if (option === undefined) return {};
  const cost = describeBatchCost(engine);
  return {
    advice: `Raise ${option}, if the inter-token latency permits it${cost === undefined ? '' : `: ${cost}`}.`,
  };
}

function describeFullBatch(
  engines: readonly Engine[],
  waiting: Level,
  average: string,
): Omit<Evidence, 'endpoint'> {
  const slots = sum(engines.map(({ running }) => running!.max));
  const usage = Math.max(...engines.map(({ kvCache }) => kvCache!.max));
  return {
    text: `${formatNumber(slots)} running (the observed limit) for most of the time, ${formatNumber(waiting.avg)} waiting ${average}, KV cache up to ${formatPercent(usage)} full`,
    numbers: { running_max: slots, waiting: waiting.avg, kv_cache_max: usage },
    magnitude: waiting.avg,
  };
}

/** Lists p50 and p99 of the time to first token of all servers. */
function listTails({
  run,
}: ServingSystem): { readonly p50: number; readonly p99: number; readonly unit: string | null }[] {
  return findServerInstances(run).flatMap(instance =>
    instance.series('timeToFirstToken').map(({ stats, unit }) => {
      const { p50_estimate: p50 = Number.NaN, p99_estimate: p99 = Number.NaN } = toPeriodStats(
        stats,
      ) as Readonly<Record<string, number>>;
      return { p50, p99, unit };
    }),
  );
}
