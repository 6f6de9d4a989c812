import type { TraceEntry } from './traceEntry.ts';

/** Statistics of a value of all requests. */
export interface TraceStatistics {
  readonly mean: number;
  readonly std_dev: number;
  readonly min: number;
  readonly p25: number;
  readonly median: number;
  readonly p75: number;
  readonly max: number;
}

/** The lengths and the shared prefixes of a trace, with the names of AIPerf; lengths are in tokens. */
export interface TraceAnalysis {
  readonly total_requests: number;
  /** Number of different sequences of blocks at the start of prompts. */
  readonly unique_prefixes: number;
  /** Number of first blocks that several requests have. */
  readonly num_prefix_groups: number;
  /** Mean share of the blocks of a request, from its first, that earlier requests had; with an unlimited cache. */
  readonly cache_hit_rate: number;
  readonly min_isl: number;
  readonly max_isl: number;
  readonly avg_isl: number;
  readonly min_osl: number;
  readonly max_osl: number;
  readonly avg_osl: number;
  /** Share of the sequences of blocks that occur several times. */
  readonly prefix_reuse_ratio: number;
  readonly isl_stats: TraceStatistics | null;
  readonly osl_stats: TraceStatistics | null;
  /** Lengths of the blocks that other requests have at the same position. */
  readonly context_length_stats: TraceStatistics | null;
  readonly unique_prompt_length_stats: TraceStatistics | null;
  readonly hit_rate_stats: TraceStatistics | null;
}

/** Analyzes the entries of a trace whose hash ids stand for blocks of `blockTokens` tokens. */
export function analyzeTrace(entries: readonly TraceEntry[], blockTokens: number): TraceAnalysis {
  const inputs = entries.map(({ input = 0 }) => input);
  const outputs = entries.map(({ output = 0 }) => output);
  const contexts = findContextLengths(entries, blockTokens);
  const hitRates = findHitRates(entries);
  const prefixes = countPrefixes(entries);
  const firstBlocks = countValues(entries.flatMap(({ hashIds }) => hashIds.slice(0, 1)));
  return {
    total_requests: entries.length,
    unique_prefixes: prefixes.distinct,
    num_prefix_groups: [...firstBlocks.values()].filter(count => count > 1).length,
    cache_hit_rate: findMean(hitRates),
    ...summarize('isl', inputs),
    ...summarize('osl', outputs),
    prefix_reuse_ratio: prefixes.total === 0 ? 0 : prefixes.reused / prefixes.total,
    isl_stats: computeStatistics(inputs),
    osl_stats: computeStatistics(outputs),
    context_length_stats: computeStatistics(contexts),
    unique_prompt_length_stats: computeStatistics(inputs.map((input, index) => input - contexts[index]!)),
    hit_rate_stats: computeStatistics(hitRates),
  } as TraceAnalysis;
}

function summarize(name: 'isl' | 'osl', values: readonly number[]): Readonly<Record<string, number>> {
  const { min = 0, max = 0, mean = 0 } = computeStatistics(values) ?? {};
  return { [`min_${name}`]: min, [`max_${name}`]: max, [`avg_${name}`]: mean };
}

/**
 * Returns the length of the part of each prompt that other requests share: the whole prompt if all of its blocks occur
 * at the same position in other prompts.
 */
function findContextLengths(entries: readonly TraceEntry[], blockTokens: number): number[] {
  const toKey = (id: number, position: number): string => `${position} ${id}`;
  const counts = countValues(entries.flatMap(({ hashIds }) => hashIds.map(toKey)));
  return entries.map(({ input = 0, hashIds }) => {
    const shared = hashIds.filter((id, position) => counts.get(toKey(id, position))! > 1).length;
    return shared === hashIds.length && shared > 0 ? input : shared * blockTokens;
  });
}

/** Returns the share of the blocks of each request with blocks, up to the first that no earlier request had. */
function findHitRates(entries: readonly TraceEntry[]): number[] {
  const seen = new Set<number>();
  const rates: number[] = [];
  for (const { hashIds } of entries) {
    if (hashIds.length === 0) continue;
    const firstNew = hashIds.findIndex(id => !seen.has(id));
    rates.push((firstNew === -1 ? hashIds.length : firstNew) / hashIds.length);
    for (const id of hashIds) seen.add(id);
  }
  return rates;
}

/** A sequence of blocks: how often it occurs, and the sequences that are one block longer. */
interface PrefixNode {
  count: number;
  readonly next: Map<number, PrefixNode>;
}

/** Counts the sequences of blocks at the start of prompts: different ones, all, and those that occur several times. */
function countPrefixes(entries: readonly TraceEntry[]): {
  readonly distinct: number;
  readonly total: number;
  readonly reused: number;
} {
  const nodes: PrefixNode[] = [];
  const root: PrefixNode = { count: 0, next: new Map() };
  for (const { hashIds } of entries) {
    let node = root;
    for (const id of hashIds) {
      const next = node.next.get(id) ?? { count: 0, next: new Map<number, PrefixNode>() };
      if (next.count === 0) nodes.push(next);
      next.count += 1;
      node.next.set(id, next);
      node = next;
    }
  }
  const counts = nodes.map(({ count }) => count);
  return {
    distinct: nodes.length,
    total: sum(counts),
    reused: sum(counts.filter(count => count > 1)),
  };
}

function countValues<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Returns null if there are no values. Percentiles are interpolated linearly. */
function computeStatistics(values: readonly number[]): TraceStatistics | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const mean = findMean(values);
  const variance = findMean(values.map(value => (value - mean) ** 2));
  return {
    mean,
    std_dev: Math.sqrt(variance),
    min: sorted[0]!,
    p25: findQuantile(sorted, 0.25),
    median: findQuantile(sorted, 0.5),
    p75: findQuantile(sorted, 0.75),
    max: sorted.at(-1)!,
  };
}

function findQuantile(sorted: Float64Array, fraction: number): number {
  const position = fraction * (sorted.length - 1);
  const lower = sorted[Math.floor(position)]!;
  const upper = sorted[Math.ceil(position)]!;
  return lower + (upper - lower) * (position - Math.floor(position));
}

function findMean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
