import { drawForest, measureForest } from '../../svg/forest.ts';
import { drawTimeChart } from '../../svg/timeChart.ts';
import { CHART_SIZE } from '../html/chartFigure.ts';
import { listLadders, listLegend } from '../pictures/listPictures.ts';
import { createPicture, type Picture, type PictureContent } from '../pictures/picture.ts';
import type { ComparisonDocument } from './document.ts';

/** Lists the charts of a comparison as pictures, in the order of the page. `style` contains the styles of all charts. */
export function listComparisonPictures(page: ComparisonDocument, style: string): Picture[] {
  return [...listEffects(page), ...listStrips(page), ...listLadders(page.ladders)].map(content =>
    createPicture(content, style),
  );
}

function listEffects({ comparisons, title }: ComparisonDocument): PictureContent[] {
  return comparisons.flatMap(({ name, effects, minChange }, i) => {
    const rows = effects.flatMap(group =>
      group.rows.map(row => ({ ...row, name: `${row.name}, ${group.name.replace(/^.*the /, '')}` })),
    );
    if (rows.length === 0) return [];
    const heading = comparisons.length === 1 ? title : name;
    return [
      {
        name: comparisons.length === 1 ? 'effects' : `effects-${i + 1}`,
        title: `Effects on the key metrics, ${heading}`,
        legend: [],
        drawing: drawForest(heading, rows, minChange),
        ...measureForest(rows),
      },
    ];
  });
}

function listStrips({ strips }: ComparisonDocument): PictureContent[] {
  if (!strips) return [];
  const charts = strips.columns.flatMap(column => column.charts);
  return charts.map(chart => ({
    name: chart.id,
    title: chart.title,
    legend: listLegend(chart),
    drawing: drawTimeChart(chart, strips.marks, { ...CHART_SIZE, range: strips.range }),
    ...CHART_SIZE,
  }));
}
