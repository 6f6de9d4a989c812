import type { Run } from '@org/analysis';
import type { TimeChart } from '../../svg/timeChartModel.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { toPointAxis } from './clientCharts.ts';
import { readRole } from './roleValues.ts';
import { roundValues } from './values.ts';

/** Builds the chart of the requests that servers completed, for runs without client data. */
export function buildRequestRateChart(run: Run, traces: RunTraces): TimeChart[] {
  const completed = readRole(run, traces, 'completedRequests');
  if (!completed) return [];
  return [
    {
      id: 'server-requests',
      side: 'server',
      title: 'Requests per second',
      unit: '/s',
      metrics: completed.metrics,
      help: 'Requests that the servers ended.',
      axis: toPointAxis(traces.axis.width),
      layers: [{ form: 'line', name: 'completed', color: 'server', values: roundValues(completed.values) }],
    },
  ];
}
