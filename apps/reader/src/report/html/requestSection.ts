import { formatCount, formatNumber } from '@org/core';
import { writeElement } from '../../svg/markup.ts';
import type { ColorName } from '../../svg/palette.ts';
import { drawTimeChart } from '../../svg/timeChart.ts';
import type { DotLayer, TimeChart } from '../../svg/timeChartModel.ts';
import type { ReportDocument } from '../document.ts';
import type { RequestDots } from '../model/requestDots.ts';
import { writeLegend } from './chartFigure.ts';
import { writeParagraph, writeSection } from './section.ts';

/** The size of the chart of requests, in pixels. */
export const REQUEST_SIZE = { width: 1200, height: 240 } as const;

const OUTCOMES: Readonly<Record<string, { readonly name: string; readonly color: ColorName }>> = {
  ok: { name: 'succeeded', color: 'client' },
  late: { name: 'missed a limit', color: 'waiting' },
  failed: { name: 'failed', color: 'failed' },
  cancelled: { name: 'cancelled', color: 'grey' },
};

/** Writes single requests as dots; the script adds the table of the slowest. */
export function writeRequestSection({
  requests,
  timeline,
}: Pick<ReportDocument, 'requests' | 'timeline'>): string {
  if (!requests || !timeline) return '';
  const chart = toRequestChart(requests);
  return writeSection(
    'requests',
    'Requests',
    writeParagraph(describeSelection(requests), 'hint'),
    writeElement(
      'figure',
      {},
      writeElement(
        'figcaption',
        {},
        writeElement('strong', {}, `${requests.quantity}, at the time of sending (logarithmic axis)`),
        writeLegend(chart),
      ),
      drawTimeChart(chart, timeline.marks, { ...REQUEST_SIZE, range: timeline.range, isLog: true }),
    ),
    writeElement('div', { id: 'slowest-requests' }),
  );
}

/** Says which requests the dots are, and how many are not drawn. */
export function describeSelection({ count, shown, missing, missingFailed }: RequestDots): string {
  const selection =
    shown + missing === count
      ? `Each dot is one of ${formatNumber(shown)} requests.`
      : `Each dot is a request: the slowest ones, and a regular sample of all; ${formatNumber(shown)} of ${formatNumber(count)} are shown.`;
  if (missing === 0) return selection;
  const noun = missing === missingFailed ? 'failed request' : 'request';
  return `${selection} ${formatCount(missing, noun)} without a first token ${missing === 1 ? 'is' : 'are'} not drawn.`;
}

/** Creates the chart of single requests. */
export function toRequestChart({ dots, quantity }: RequestDots): TimeChart {
  const layers = dots.map(
    ({ outcome, points }): DotLayer => ({
      form: outcome === 'failed' ? 'crosses' : 'dots',
      ...OUTCOMES[outcome]!,
      points,
    }),
  );
  return {
    id: 'request-dots',
    side: 'client',
    title: quantity,
    unit: 'ms',
    metrics: [],
    help: '',
    axis: { from: 0, step: 1 },
    layers,
  };
}
