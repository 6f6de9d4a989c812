import uPlot from 'uplot';
import { figure } from '../src/figure.ts';
import type { PercentileChart } from '../src/report/document.ts';
import { element, section } from './element.ts';
import { color, onTheme } from './theme.ts';

const HEIGHT = 220;

/** Estimated percentiles of each key histogram, with the interval in which each certainly lies. */
export function percentileSection(charts: readonly PercentileChart[]): HTMLElement {
  return section(
    'percentiles',
    'Percentiles',
    element(
      'p',
      {},
      'Lines are estimates from histogram buckets; the true percentile certainly lies within the band around them.',
    ),
    ...charts.map(percentileFigure),
  );
}

function percentileFigure(chart: PercentileChart): HTMLElement {
  const box = element('div', {
    class: 'chart',
    role: 'img',
    'aria-label': `Percentiles of ${chart.name}; a table follows`,
  });
  const made = element(
    'figure',
    {},
    element('figcaption', {}, element('strong', {}, chart.name), ` ${chart.meaning}`),
    box,
    legend(chart),
    table(chart),
  );
  requestAnimationFrame(() => draw(box, chart));
  return made;
}

function legend({ series }: PercentileChart): HTMLElement {
  return element(
    'ul',
    { class: 'legend' },
    ...series.map(({ name }, i) =>
      element('li', {}, element('span', { class: `swatch line-${i % 8}` }), name),
    ),
  );
}

/** The same as figures, for whom the picture is not enough. */
function table({ name, percents, series, unit }: PercentileChart): HTMLElement {
  const cell = (value: number | null): HTMLElement =>
    element('td', { class: 'number' }, value === null ? '' : figure(value, unit));
  return element(
    'details',
    {},
    element('summary', {}, `Percentiles of ${name} as a table`),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Percentiles of ${name}` },
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...['series', ...percents.map(p => `p${p}`)].map(text => element('th', { scope: 'col' }, text)),
          ),
        ),
        element(
          'tbody',
          {},
          ...series.map(one =>
            element('tr', {}, element('th', { scope: 'row' }, one.name), ...one.values.map(cell)),
          ),
        ),
      ),
    ),
  );
}

function draw(box: HTMLElement, { percents, series, unit }: PercentileChart): void {
  const places = percents.map((_, i) => i);
  const columns = series.flatMap(({ values, low, high }) => [[...values], [...low], [...high]]);
  const look = (i: number): string => color(`line-${i % 8}`);
  const line = { stroke: () => color('grid'), width: 1 };
  const axis = { stroke: () => color('muted'), grid: line, ticks: line, font: '12px system-ui, sans-serif' };
  const chart = new uPlot(
    {
      width: Math.max(200, box.clientWidth),
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [-0.3, percents.length - 0.7] },
        y: { range: (_, low, high) => [Math.min(0, low), high * 1.05 || 1] },
      },
      series: [
        {},
        ...series.flatMap((_, i) => [
          { stroke: () => look(i), width: 2 },
          { stroke: 'transparent', points: { show: false } },
          { stroke: 'transparent', points: { show: false } },
        ]),
      ],
      bands: series.map((_, i) => ({
        series: [3 * i + 3, 3 * i + 2] as [number, number],
        fill: () => `${look(i)}33`,
      })),
      axes: [
        {
          ...axis,
          splits: () => places,
          values: (_, ticks) => ticks.map(tick => `p${percents[tick] ?? ''}`),
          size: 34,
        },
        { ...axis, values: (_, ticks) => ticks.map(tick => figure(tick, unit)), size: 76 },
      ],
    },
    [places, ...columns] as uPlot.AlignedData,
    box,
  );
  new ResizeObserver(() => {
    const width = Math.max(200, box.clientWidth);
    if (width !== chart.width) chart.setSize({ width, height: HEIGHT });
  }).observe(box);
  onTheme(() => chart.redraw());
}
