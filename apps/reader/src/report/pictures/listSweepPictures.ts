import { drawShareBars, measureShareBars } from '../../svg/shareBars.ts';
import { drawXyChart } from '../../svg/xyChart.ts';
import type { XyChart } from '../../svg/xyChartModel.ts';
import { COLUMN_HEIGHT, getWideHeight, PAGE_WIDTHS } from '../../sweep/html/sweepView.ts';
import { listNamedSeries } from '../../sweep/html/xyFigure.ts';
import { createChoice } from '../../sweep/model/choice.ts';
import {
  buildSweepView,
  listCharts,
  listWideCharts,
  OUTCOMES,
  type SweepView,
} from '../../sweep/model/sections.ts';
import type { SweepData } from '../../sweep/model/sweepData.ts';
import { createPicture, type Picture, type PictureContent } from './picture.ts';

/** Lists the charts of a sweep or of repeated runs as pictures, in the order of the page. */
export function listSweepPictures(data: SweepData, style: string): Picture[] {
  const view = buildSweepView(data, createChoice(data));
  const wide = listWideCharts(view);
  const charts = listCharts(view).map(chart => toContent(chart, wide.has(chart.id)));
  return [...charts, ...listOutcomes(view)].map(content => createPicture(content, style));
}

function toContent(chart: XyChart, isWide: boolean): PictureContent {
  const size = isWide
    ? { width: PAGE_WIDTHS.wide, height: getWideHeight(PAGE_WIDTHS.wide) }
    : { width: PAGE_WIDTHS.column, height: COLUMN_HEIGHT };
  const named = listNamedSeries(chart);
  return {
    name: chart.id,
    title: chart.title,
    legend: (named.length < 2 ? [] : named).map(({ name, color, line }) => ({
      name: line === 'dashed' ? `${name} (dashed)` : name,
      color,
    })),
    drawing: drawXyChart(chart, size),
    ...size,
  };
}

function listOutcomes({ outcomes }: SweepView): PictureContent[] {
  if (!outcomes) return [];
  const width = PAGE_WIDTHS.wide;
  return [
    {
      name: 'outcomes',
      title: outcomes.title,
      legend: OUTCOMES,
      drawing: drawShareBars(outcomes, width),
      width,
      height: measureShareBars(outcomes),
    },
  ];
}
