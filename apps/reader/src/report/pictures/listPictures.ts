import { drawHeatMap } from '../../svg/heatMap.ts';
import { drawLadder } from '../../svg/ladder.ts';
import { drawTimeChart } from '../../svg/timeChart.ts';
import type { TimeChart } from '../../svg/timeChartModel.ts';
import type { ReportDocument } from '../document.ts';
import { CHART_SIZE } from '../html/chartFigure.ts';
import { HEAT_SIZE, LADDER_SIZE } from '../html/distributionSection.ts';
import { REQUEST_SIZE } from '../html/requestSection.ts';
import type { Ladder } from '../model/distributions.ts';
import { createRequestChart } from '../model/requestChart.ts';
import { createPicture, type Picture, type PictureContent } from './picture.ts';

/** Lists the charts of a run as pictures, in the order of the page. `style` contains the styles of all charts. */
export function listPictures(report: ReportDocument, style: string): Picture[] {
  return [...listTimeCharts(report), ...listDistributions(report), ...listRequests(report)].map(content =>
    createPicture(content, style),
  );
}

function listTimeCharts({ timeline }: ReportDocument): PictureContent[] {
  if (!timeline) return [];
  const charts = [...timeline.columns.flatMap(column => column.charts), ...timeline.more];
  return charts.map(chart => ({
    name: chart.id,
    title: chart.title,
    legend: listLegend(chart),
    drawing: drawTimeChart(chart, timeline.marks, { ...CHART_SIZE, range: timeline.range }),
    ...CHART_SIZE,
  }));
}

/** Lists the lines and areas of a chart for its legend. */
export function listLegend({ layers, load }: TimeChart): PictureContent['legend'] {
  const drawn = layers
    .filter(({ form }) => form !== 'band')
    .map(layer => ('isDashed' in layer ? { ...layer, name: `${layer.name} (dashed)` } : layer));
  return [...drawn, ...(load ? [{ name: `${load.name} (right axis)`, color: 'grey' } as const] : [])];
}

function listDistributions({ heatMaps, ladders, timeline }: ReportDocument): PictureContent[] {
  const maps = heatMaps.map(map => ({
    name: map.id,
    title: map.title,
    legend: [],
    drawing: drawHeatMap(map, HEAT_SIZE.width, HEAT_SIZE.height, timeline!.range),
    ...HEAT_SIZE,
  }));
  return [...maps, ...listLadders(ladders)];
}

/** Lists percentile ladders as the content of pictures. */
export function listLadders(ladders: readonly Ladder[]): PictureContent[] {
  return ladders.map(ladder => ({
    name: ladder.id,
    title: ladder.title,
    legend: ladder.lines.map(({ name, color }) => ({ name, color })),
    drawing: drawLadder(ladder, LADDER_SIZE.width, LADDER_SIZE.height),
    ...LADDER_SIZE,
  }));
}

function listRequests({ requests, timeline }: ReportDocument): PictureContent[] {
  if (!requests || !timeline) return [];
  const chart = createRequestChart(requests);
  return [
    {
      name: chart.id,
      title: chart.title,
      legend: listLegend(chart),
      drawing: drawTimeChart(chart, timeline.marks, { ...REQUEST_SIZE, range: timeline.range, isLog: true }),
      ...REQUEST_SIZE,
    },
  ];
}
