import { escapeText, writeElement } from '../../svg/markup.ts';
import { drawTimeChart } from '../../svg/timeChart.ts';
import type { Layer, TimeChart } from '../../svg/timeChartModel.ts';
import type { Timeline } from '../document.ts';

/** The size of a chart in pixels, as it is written; the script adapts it to the screen. */
export const CHART_SIZE = { width: 600, height: 168 } as const;

/** Writes a chart with its title, metric names and legend. */
export function writeChartFigure(
  chart: TimeChart,
  { marks, range }: Pick<Timeline, 'marks' | 'range'>,
): string {
  return writeElement(
    'figure',
    { class: 'time', id: chart.id },
    writeElement(
      'figcaption',
      {},
      writeElement(
        'span',
        { class: 'chart-title' },
        writeElement('strong', {}, escapeText(chart.title)),
        writeHelp(chart),
      ),
      ' ',
      writeMetricNames(chart.metrics),
      writeLegend(chart),
      writeElement('span', { class: 'reading' }),
    ),
    writeElement(
      'div',
      { class: 'chart', 'data-chart': chart.id },
      drawTimeChart(chart, marks, { ...CHART_SIZE, range }),
    ),
  );
}

/** Writes the names of metrics in small type. */
export function writeMetricNames(metrics: readonly string[]): string {
  return metrics.length === 0
    ? ''
    : writeElement('span', { class: 'metric' }, escapeText(metrics.join(', ')));
}

function writeHelp({ help, title }: TimeChart): string {
  if (help === '') return '';
  return writeElement(
    'details',
    { class: 'help' },
    writeElement('summary', { 'aria-label': `How to read: ${title}` }, '?'),
    writeElement('p', {}, escapeText(help)),
  );
}

/** Writes what the lines and areas of a chart are. A single line needs no legend. */
export function writeLegend({ layers, load, id }: TimeChart): string {
  const items = layers.filter(({ form }) => form !== 'band' || id.startsWith('client'));
  if (items.length < 2 && !load) return '';
  const written = items.map(layer => writeElement('li', {}, writeSwatch(layer), escapeText(layer.name)));
  if (load)
    written.push(
      writeElement(
        'li',
        {},
        writeElement('span', { class: 'swatch load b-grey' }),
        escapeText(`${load.name} (right axis)`),
      ),
    );
  return writeElement('ul', { class: 'legend' }, ...written);
}

function writeSwatch(layer: Layer): string {
  const style =
    layer.form === 'line' || layer.form === 'step'
      ? `line-swatch${layer.isDashed ? ' dashed' : ''}`
      : layer.form === 'band'
        ? 'band-swatch'
        : layer.form;
  return writeElement('span', { class: `swatch ${style} b-${layer.color}`, 'aria-hidden': 'true' });
}
