import type { DrawnChart } from './drawnChart.ts';
import { createButton, createElement } from './element.ts';
import { savePicture } from './savePicture.ts';

/** Adds the actions of a chart to its help. */
export function addChartActions(drawn: DrawnChart, switchAxis: () => void): void {
  const { figure, chart, isLog } = drawn;
  const axis = createButton('Logarithmic axis', () => {
    switchAxis();
    axis.setAttribute('aria-pressed', String(drawn.isLog));
  });
  axis.setAttribute('aria-pressed', String(isLog));
  const save = createButton('Save as PNG', () => savePicture(figure, `${chart.id}.png`));
  figure.querySelector('.help > div')?.append(createElement('p', { class: 'chart-actions' }, axis, save));
}
