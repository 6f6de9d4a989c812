import type { ColorName } from '../../svg/palette.ts';
import type { DotLayer, TimeChart } from '../../svg/timeChartModel.ts';
import type { Outcome } from '../timeline/clientRequests.ts';
import type { RequestDots } from './requestDots.ts';

/** The name and the color of each outcome, in the order of the legend. */
export const OUTCOMES: Readonly<Record<Outcome, { readonly name: string; readonly color: ColorName }>> = {
  ok: { name: 'succeeded', color: 'client' },
  late: { name: 'missed a limit', color: 'waiting' },
  failed: { name: 'failed', color: 'failed' },
  cancelled: { name: 'cancelled', color: 'grey' },
};

/** Creates the chart of single requests. A request without the value of the chart has no dot: another value would look like one. */
export function createRequestChart({ rows, value }: RequestDots): TimeChart {
  const quantity = value === 'firstToken' ? 'Time to first token' : 'Latency of requests';
  const layers = (Object.keys(OUTCOMES) as Outcome[]).map(
    (outcome): DotLayer => ({
      form: outcome === 'failed' ? 'crosses' : 'dots',
      ...OUTCOMES[outcome],
      points: rows.flatMap((row, i) =>
        row.outcome === outcome && row[value] !== null ? [[row.sent, row[value], i] as const] : [],
      ),
    }),
  );
  return {
    id: 'request-dots',
    side: 'client',
    title: `${quantity}, ms, at the time of sending`,
    unit: 'ms',
    metrics: [],
    help: 'Each dot is a request. Dots that are higher waited longer. Click a dot to see its request in the table.',
    axis: { from: 0, step: 1 },
    layers: layers.filter(({ points }) => points.length > 0),
  };
}
