import { writeFigure } from '../../html/figure.ts';
import { writeMarker } from '../../svg/markers.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import { drawXyChart } from '../../svg/xyChart.ts';
import type { XyChart, XySeries } from '../../svg/xyChartModel.ts';
import type { DrawingSize } from '../../svg/xyExtent.ts';

/** The maximum number of names in a legend. */
const MAX_NAMES = 12;

/** Writes a chart of points with its title, its help and its legend. */
export function writeXyFigure(chart: XyChart, size: DrawingSize): string {
  return writeFigure(chart, {
    help: [escapeText(chart.help)],
    legend: writeXyLegend(chart),
    drawing: drawXyChart(chart, size),
  });
}

/** Lists the series with a name, each name once. */
export function listNamedSeries({ series }: XyChart): XySeries[] {
  const names = new Set<string>();
  return series.filter(({ name, color, line }) => {
    const key = [name, color, line].join(' ');
    if (name === '' || names.has(key)) return false;
    names.add(key);
    return true;
  });
}

function writeXyLegend(chart: XyChart): string {
  const named = listNamedSeries(chart);
  if (named.length < 2) return '';
  const more = named.length - MAX_NAMES;
  return writeElement(
    'ul',
    { class: 'legend' },
    ...named
      .slice(0, MAX_NAMES)
      .map(series => writeElement('li', {}, drawKey(series), escapeText(series.name))),
    more > 0 ? writeElement('li', {}, `and ${more} more`) : '',
  );
}

/** Draws a line and a marker as they are in the chart. */
function drawKey({ color, line, marker, isArea, isBare }: XySeries): string {
  const style = line === undefined || line === 'solid' ? '' : ` ${line}`;
  const parts = isArea
    ? [writeElement('rect', { class: `area f-${color}`, x: 2, y: 2, width: 18, height: 10 })]
    : [
        line ? writeElement('path', { class: `line s-${color}${style}`, d: 'M0 7h22' }) : '',
        isBare ? '' : writeElement('path', { class: `marker f-${color}`, d: writeMarker(marker, 11, 7) }),
      ];
  return writeElement('svg', { class: 'key', viewBox: '0 0 22 14', 'aria-hidden': 'true' }, ...parts);
}
