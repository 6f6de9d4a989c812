import { formatCount, formatNumber } from '@org/core';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { writeElement } from '../../svg/markup.ts';
import type { ReportDocument } from '../document.ts';
import { createRequestChart } from '../model/requestChart.ts';
import type { RequestDots } from '../model/requestDots.ts';
import { writeChartFigure } from './chartFigure.ts';

/** The size of the chart of requests, in pixels. */
export const REQUEST_SIZE = { width: 1200, height: 240 } as const;

/** Writes single requests as dots; the script adds their table. */
export function writeRequestSection({
  requests,
  timeline,
}: Pick<ReportDocument, 'requests' | 'timeline'>): string {
  if (!requests || !timeline) return '';
  return writeSection(
    'requests',
    'Requests',
    writeParagraph(describeSelection(requests), 'hint'),
    writeChartFigure(createRequestChart(requests), timeline, { ...REQUEST_SIZE, isLog: true }),
    writeElement('div', { id: 'request-rows' }),
  );
}

/** Says which requests the dots are, and how many are not drawn. */
export function describeSelection({ count, rows, value, missing, missingFailed }: RequestDots): string {
  const shown = rows.filter(row => row[value] !== null).length;
  const dots =
    shown + missing === count
      ? `Each dot is one of ${formatNumber(shown)} requests.`
      : `Each dot is a request: the slowest ones, and a regular sample of all; ${formatNumber(shown)} of ${formatNumber(count)} are shown.`;
  const hasFailed = rows.some(row => row.outcome === 'failed' && row[value] !== null);
  const selection = hasFailed ? `${dots} Failed requests are crosses.` : dots;
  if (missing === 0) return selection;
  const noun = missing === missingFailed ? 'failed request' : 'request';
  return `${selection} ${formatCount(missing, noun)} without a first token ${missing === 1 ? 'is' : 'are'} not drawn.`;
}
