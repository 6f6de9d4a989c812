import { writeFigure } from '../../html/figure.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import { type ChartView, drawTimeChart } from '../../svg/timeChart.ts';
import type { Layer, TimeChart } from '../../svg/timeChartModel.ts';
import type { Timeline } from '../document.ts';

/** The size of a chart in pixels, as it is written; the script adapts it to the screen. */
export const CHART_SIZE = { width: 600, height: 168 } as const;

/** Writes a chart with its title, metric names and legend. */
export function writeChartFigure(
  chart: TimeChart,
  { marks, range, meanings }: Pick<Timeline, 'marks' | 'range' | 'meanings'>,
  view: Omit<ChartView, 'range'> = CHART_SIZE,
): string {
  return writeFigure(chart, {
    help: listHelp(chart, meanings),
    legend: ` ${writeMetricNames(chart.metrics)}${writeLegend(chart)}`,
    drawing: drawTimeChart(chart, marks, { ...view, range }),
    isLog: view.isLog,
  });
}

/** Writes the names of metrics in small type. */
export function writeMetricNames(metrics: readonly string[]): string {
  return metrics.length === 0
    ? ''
    : writeElement('span', { class: 'metric' }, escapeText(metrics.join(', ')));
}

/** Writes how to read a chart, and the meaning of its metrics, in paragraphs. */
function listHelp({ help, metrics }: TimeChart, meanings: Timeline['meanings']): string[] {
  const described = metrics.filter(name => Object.hasOwn(meanings, name));
  return [
    ...(help === '' ? [] : [escapeText(help)]),
    ...described.map(name => `${writeElement('code', {}, escapeText(name))}: ${escapeText(meanings[name]!)}`),
  ];
}

/**
 * Writes what the lines and areas of a chart are. A single line needs no legend. The indices of the layers of each item let the
 * script hide them.
 */
export function writeLegend({ layers, load, id }: TimeChart): string {
  // The bounds of a server's percentile belong to the item of its line.
  const isPart = ({ form }: Layer): boolean => form === 'band' && !id.startsWith('client');
  const items = layers.filter(layer => !isPart(layer));
  if (items.length < 2 && !load) return '';
  const written = items.map(item => {
    const indices = layers.flatMap((layer, i) =>
      layer === item || (isPart(layer) && layer.color === item.color) ? [i] : [],
    );
    return writeLegendItem(writeSwatch(item), item.name, indices.join(' '));
  });
  if (load)
    written.push(
      writeLegendItem(
        writeElement('span', { class: 'swatch load b-grey' }),
        `${load.name} (right axis)`,
        LOAD_ITEM,
      ),
    );
  return writeElement('ul', { class: 'legend' }, ...written);
}

/** The item of the load, which is not a layer. */
export const LOAD_ITEM = 'load';

function writeLegendItem(swatch: string, name: string, layers: string): string {
  return writeElement('li', { 'data-layers': layers }, swatch, escapeText(name));
}

function writeSwatch(layer: Layer): string {
  const style =
    layer.form === 'line' || layer.form === 'step'
      ? `line-swatch${layer.isDashed ? ' dashed' : ''}`
      : layer.form === 'band'
        ? 'band-swatch'
        : layer.form;
  return writeElement('span', { class: `swatch ${style} b-${layer.color}` });
}
