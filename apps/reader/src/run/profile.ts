import type { ProfileExport } from '@org/formats';
import { profileMetrics } from '@org/formats/read';
import type { RunFamily, Stats } from './series.ts';

/** Where client metrics come from, in the place of an endpoint. */
export const CLIENT = 'client';

/** The metric blocks of a profile export (seed 004) as families of one series each, without labels. */
export function clientFamilies(profile: ProfileExport): RunFamily[] {
  return [...profileMetrics(profile)].map(([name, { unit, ...stats }]) => {
    const series = {
      name,
      type: 'client' as const,
      unit,
      endpointUrl: CLIENT,
      endpoint: CLIENT,
      labels: {},
      stats: stats as Stats,
      slices: [],
    };
    return { name, type: 'client', unit, description: '', series: [series] };
  });
}
