import { formatNumber, formatPercent, formatValue } from '@org/core';
import { mean, sum } from '../math.ts';
import { hasDiedOrRestarted } from '../run/availability.ts';
import type { Run } from '../run/run.ts';
import { selectCompleteSlices } from '../run/series.ts';
import { groupSlicesByTime } from '../run/slices.ts';
import { readObservations } from '../servers/observations.ts';
import { computeTotal, findServerInstances } from '../servers/serverInstance.ts';
import { type Engine, findServingSystem, type ServingSystem } from '../servers/servingSystem.ts';
import { findLostReuse, type LostReuse } from './lostReuse.ts';
import { createRunRule, type Evidence, type FindingRule } from './rule.ts';
import { describeSystem } from './systemEvidence.ts';

/** Rules on prompts that repeat, but are computed again. */
export const REUSE_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'cache-too-small',
      severity: 'warning',
      title: 'the KV cache is too small to reuse prompts',
      advice:
        'Prompts are computed again, although they repeat: give the KV cache more memory, or offload it to the memory of the host.',
      thresholds: {
        lost: { value: 0.25, meaning: 'minimum difference between the possible and the measured hit rate' },
        drop: {
          value: 0.5,
          meaning: 'maximum ratio of the hit rate in the last third of the run to the first',
        },
        usage: { value: 0.9, meaning: 'minimum usage of a full KV cache' },
        slices: { value: 9, meaning: 'minimum number of timeslices with prompts' },
      },
    },
    (run, limits) => {
      const system = findReliableSystem(run);
      if (!system) return [];
      const lost = findLostReuse(system);
      if (!lost) return system.engines.flatMap(engine => describeDrop(engine, limits));
      if (lost.possibleRate - lost.hitRate < limits.lost || lost.workingSet <= lost.capacity) return [];
      const size = `repeated prompts have ${formatNumber(lost.workingSet)} tokens, the KV cache holds ${formatNumber(lost.capacity)}`;
      return describeLoss(system, lost, [size, ...describeEvictions(system.engines)]);
    },
  ),
  createRunRule(
    {
      id: 'scattered-prompts',
      severity: 'warning',
      title: 'prompts are spread over replicas that do not know them',
      advice:
        'Each replica computes the same prompts again: send requests with the same beginning to the same replica (Dynamo: --router-mode kv; SGLang’s router: cache_aware; llm-d: a prefix scorer).',
      thresholds: {
        lost: { value: 0.25, meaning: 'minimum difference between the possible and the measured hit rate' },
        loss: {
          value: 0.1,
          meaning: 'minimum share of the tokens of prompts that another worker had cached',
        },
        tokens: { value: 10_000, meaning: 'minimum number of tokens of prompts at the router' },
      },
    },
    (run, limits) => {
      const system = findReliableSystem(run);
      if (!system) return [];
      const lost = findLostReuse(system);
      const isScattered =
        lost &&
        system.engines.length > 1 &&
        lost.possibleRate - lost.hitRate >= limits.lost &&
        lost.workingSet <= lost.capacity;
      return isScattered
        ? describeLoss(system, lost, [`${system.engines.length} replicas, whose caches hold all prompts`])
        : describeRouterLoss(run, limits);
    },
  ),
];

/** Returns the servers of a run, unless one of them lost its cache. */
function findReliableSystem(run: Run): ServingSystem | undefined {
  return run.endpoints.some(hasDiedOrRestarted) ? undefined : findServingSystem(run);
}

function describeLoss(
  system: ServingSystem,
  { hitRate, possibleRate, requests, prompts, workingSet, capacity }: LostReuse,
  details: readonly string[],
): readonly Evidence[] {
  const rates = `hit rate ${formatPercent(hitRate)}, possible are ${formatPercent(possibleRate)} (${formatNumber(prompts)} prompts in ${formatNumber(requests)} requests)`;
  return describeSystem(system, {
    text: [rates, ...details].join('; '),
    numbers: { rate: hitRate, possible: possibleRate, working_set: workingSet, capacity },
    magnitude: possibleRate - hitRate,
  }).evidence;
}

/** Describes how long blocks were not used before they were evicted, if an engine measures it. */
function describeEvictions(engines: readonly Engine[]): string[] {
  const idle = readObservations(engines.flatMap(engine => engine.series('kvBlockIdleTime')));
  return idle ? [`blocks were evicted ${formatValue(idle.mean, idle.unit)} after their last use`] : [];
}

/** Finds a hit rate that falls while the cache is full, without knowledge of the prompts. */
function describeDrop(
  engine: Engine,
  limits: Readonly<Record<'drop' | 'usage' | 'slices', number>>,
): Evidence[] {
  const isFull = (engine.kvCache?.max ?? 0) >= limits.usage || (engine.preemptions ?? 0) > 0;
  const rates = isFull ? readHitRates(engine) : [];
  if (rates.length < limits.slices) return [];
  const third = Math.floor(rates.length / 3);
  const [first, last] = [mean(rates.slice(0, third)), mean(rates.slice(-third))];
  if (first < MIN_FIRST_RATE || last > limits.drop * first) return [];
  return [
    {
      endpoint: engine.name,
      text: `hit rate ${formatPercent(first)} in the first third of the run, ${formatPercent(last)} in the last, with a full KV cache`,
      numbers: { first, last },
      magnitude: first - last,
    },
  ];
}

/** Minimum hit rate that can fall noticeably. */
const MIN_FIRST_RATE = 0.2;

/** Returns the hit rate in each complete slice with prompts. */
function readHitRates(engine: Engine): number[] {
  const [hits, queries] = (['cacheHits', 'cacheQueries'] as const).map(role =>
    groupSlicesByTime(engine.series(role).map(selectCompleteSlices)).map(slices => ({
      startNs: slices[0]!.start_ns,
      total: sum(slices.map(({ total = 0 }) => total)),
    })),
  );
  const hitsByStart = new Map(hits!.map(({ startNs, total }) => [startNs, total]));
  return queries!.flatMap(({ startNs, total }) =>
    total > 0 ? [(hitsByStart.get(startNs) ?? 0) / total] : [],
  );
}

/** Describes the tokens that another worker than the one that the router chose had in its cache. */
function describeRouterLoss(run: Run, limits: Readonly<Record<'loss' | 'tokens', number>>): Evidence[] {
  return findServerInstances(run).flatMap(instance => {
    const [best, chosen, tokens] = (
      ['routerBestCacheHits', 'routerCacheHits', 'routerPromptTokens'] as const
    ).map(role => computeTotal(instance, role));
    if (best === undefined || chosen === undefined || tokens === undefined) return [];
    const loss = (best - chosen) / tokens;
    if (tokens < limits.tokens || !(loss >= limits.loss)) return [];
    return [
      {
        endpoint: instance.endpoint,
        text: `${formatPercent(loss)} of the tokens of prompts were in the cache of another worker than the router chose`,
        numbers: { loss, tokens },
        magnitude: loss,
      },
    ];
  });
}
