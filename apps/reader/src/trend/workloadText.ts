import type { TrendGroup } from '@org/analysis';

type Workload = TrendGroup['workload'];

/** Describes the options that most workloads have, in words. */
const PARTS: readonly (readonly [option: string, describe: (value: string, workload: Workload) => string])[] =
  [
    ['model', value => value],
    ['rate', (value, workload) => `${value}${workload.get('type') === 'poisson' ? ' (Poisson)' : ''}`],
    ['concurrency', value => `${value} concurrent requests`],
    ['prompts.isl.mean', value => `${value} tokens in`],
    ['prompts.osl.mean', value => `${value} tokens out`],
    ['duration', value => value],
  ];

/**
 * Describes the workload of a group, such as `model · 6 requests/s (Poisson) · 200 tokens in · 25 s`. Further options are named
 * if they differ between the groups.
 */
export function formatWorkload({ workload }: TrendGroup, groups: readonly TrendGroup[]): string {
  const described = new Set(PARTS.map(([option]) => option));
  const parts = PARTS.flatMap(([option, describe]) => {
    const value = workload.get(option);
    return value === undefined ? [] : [describe(value, workload)];
  });
  const others = listDifferent(groups).filter(
    option => !described.has(option) && !(option === 'type' && workload.has('rate')),
  );
  const differences = others.map(option => `${option} ${workload.get(option) ?? 'not set'}`);
  const all = [...parts, ...differences];
  if (workload.size === 0) return 'unknown workload';
  return all.length === 0 ? 'the same workload' : all.join(' · ');
}

/** Lists the options that differ between groups. */
function listDifferent(groups: readonly TrendGroup[]): string[] {
  const options = new Set(groups.flatMap(({ workload }) => [...workload.keys()]));
  return [...options].filter(option => new Set(groups.map(({ workload }) => workload.get(option))).size > 1);
}
