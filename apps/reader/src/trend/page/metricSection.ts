import type { MetricTrend, TrendGroup } from '@org/analysis';
import { formatCount } from '@org/core';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import { drawTrendChart } from '../../svg/trendChart.ts';
import { formatFigure, formatTitle } from '../trendText.ts';
import type { GroupPlace } from './groupPlace.ts';
import { buildMetricChart } from './metricCharts.ts';

const HINT =
  'A dot per run, from left to right in order of time. Lines are means between changes, with their intervals. Value axes do not all start at 0.';

/** Writes the charts of the metrics of the client and of each kind of server. */
export function writeMetricSections(group: TrendGroup, { id, suffix }: GroupPlace): string {
  const names = [...new Set(group.metrics.map(({ server }) => server))];
  return names
    .map((server, i) =>
      writeServer(
        group.metrics.filter(metric => metric.server === server),
        group,
        { id: `${id}-metrics-${i + 1}`, heading: `${server}${suffix}`, hint: i === 0 },
      ),
    )
    .join('');
}

function writeServer(
  metrics: readonly MetricTrend[],
  group: TrendGroup,
  { id, heading, hint }: { readonly id: string; readonly heading: string; readonly hint: boolean },
): string {
  const constant = metrics.filter(({ state }) => state === 'constant');
  const drawn = metrics.filter(({ state }) => state !== 'constant');
  const names = constant.map(formatFigure).join(', ');
  return writeSection(
    id,
    heading,
    hint ? writeParagraph(HINT, 'hint') : '',
    writeElement('div', { class: 'trends' }, ...drawn.map(metric => writeFigure(metric, group))),
    constant.length === 0
      ? ''
      : writeParagraph(
          `${formatCount(constant.length, 'metric')} with the same value in all runs: ${names}.`,
          'hint',
        ),
  );
}

function writeFigure(metric: MetricTrend, group: TrendGroup): string {
  return writeElement(
    'figure',
    {},
    writeElement(
      'figcaption',
      {},
      writeElement('strong', {}, escapeText(formatTitle(metric))),
      ' ',
      writeElement('span', { class: 'metric' }, escapeText(formatFigure(metric))),
    ),
    drawTrendChart(buildMetricChart(metric, group)),
  );
}
