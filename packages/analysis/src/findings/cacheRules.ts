import { formatCount, formatPercent } from '@org/core';
import type { Run } from '../run/run.ts';
import type { Engine } from '../servers/servingSystem.ts';
import { describeKvCache, recommendKvCache } from './kvCacheConfig.ts';
import { createLoadRule, type Evidence, type LoadRule } from './rule.ts';

/** The KV cache limits the number of requests. */
export const FULL_KV_CACHE: LoadRule = createLoadRule(
  {
    id: 'full-kv-cache',
    severity: 'problem',
    title: 'KV cache nearly full',
    advice: 'Increase the memory for the KV cache, or send fewer or shorter requests.',
    thresholds: { usage: { value: 0.9, meaning: 'maximum usage, as a fraction' } },
  },
  ({ engines, run }, limits) => {
    const full = engines.filter(({ kvCache }) => kvCache && kvCache.max > limits.usage);
    const advice = recommendKvCache(run, full[0]);
    return {
      evidence: full.map(engine => describeFullCache(engine, run)),
      ...(advice !== undefined && { advice }),
    };
  },
);

/** The KV cache limits the number of requests, although its usage is unknown or was sampled too rarely. */
export const PREEMPTIONS: LoadRule = createLoadRule(
  {
    id: 'preemptions',
    severity: 'problem',
    title: 'requests were preempted',
    advice:
      'The KV cache is too small, and preempted requests are recomputed: increase the memory for the KV cache, or send fewer or shorter requests.',
    thresholds: { total: { value: 0, meaning: 'maximum in the run' } },
  },
  ({ engines, run }, limits) => {
    const preempted = engines.filter(({ preemptions = 0 }) => preemptions > limits.total);
    const advice = recommendKvCache(run, preempted[0]);
    return {
      evidence: preempted.map(engine => describePreemptions(engine, run)),
      ...(advice !== undefined && {
        advice: `The KV cache is too small, and preempted requests are recomputed. ${advice}`,
      }),
    };
  },
);

function describePreemptions({ name, preemptions: total = 0, ...engine }: Engine, run: Run): Evidence {
  const size = describeKvCache(run, engine);
  return {
    endpoint: name,
    text: [formatCount(total, 'preemption'), ...(size === undefined ? [] : [size])].join('; '),
    numbers: { total },
    magnitude: total,
  };
}

function describeFullCache({ name, kvCache, preemptions = 0, ...engine }: Engine, run: Run): Evidence {
  const { max, avg } = kvCache!;
  const size = describeKvCache(run, engine);
  return {
    endpoint: name,
    text: [
      `up to ${formatPercent(max)}, ${formatPercent(avg)} on average`,
      ...(preemptions > 0 ? [formatCount(preemptions, 'preemption')] : []),
      ...(size === undefined ? [] : [size]),
    ].join('; '),
    numbers: { max, avg, ...(preemptions > 0 && { preemptions }) },
    magnitude: max,
  };
}
