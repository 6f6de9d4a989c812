import { type Choice, formatLimits, listGoodputLimits } from '../src/sweep/model/choice.ts';
import type { SelectableMetric, SweepData } from '../src/sweep/model/sweepData.ts';
import { createElement } from './element.ts';

/** The value of the option that judges by the limits of `--goodput`, and of the one without limits. */
const GOODPUT = 'goodput';
const NONE = 'none';

/** Creates the controls that select what the charts show: metrics, the limit and the axis. Empty if there is no choice. */
export function createChoiceToolbar(
  data: SweepData,
  first: Choice,
  onChange: (choice: Choice) => void,
): HTMLElement[] {
  if (data.throughputs.length === 0 || data.latencies.length === 0) return [];
  const goodput = first.limits;
  const throughput = createMetricSelect('choice-throughput', data.throughputs, first.throughput);
  const latency = createMetricSelect('choice-latency', data.latencies, first.latency);
  const limit = createLimitSelect(data, goodput.length > 0);
  const value = createElement('input', {
    id: 'choice-value',
    type: 'number',
    min: 0,
    step: 'any',
    'aria-label': 'Limit value',
    hidden: true,
  });
  const unit = createElement('span', { class: 'hint' });
  const isLog = createElement('input', { id: 'choice-log', type: 'checkbox' });
  const readLimits = (): Choice['limits'] => {
    if (limit.value === GOODPUT) return listGoodputLimits(data, 'p99');
    const number = value.valueAsNumber;
    return limit.value === NONE || !(number > 0) ? [] : [{ metric: limit.value, value: number }];
  };
  const update = (): void => {
    const isFree = limit.value !== GOODPUT && limit.value !== NONE;
    value.hidden = !isFree;
    unit.textContent = isFree
      ? (data.latencies.find(({ metric }) => metric === limit.value)?.unit ?? '')
      : '';
    onChange({
      throughput: throughput.value,
      latency: latency.value,
      limits: readLimits(),
      isLog: isLog.checked,
    });
  };
  for (const control of [throughput, latency, limit, value, isLog])
    control.addEventListener('change', update);
  const limits = [createElement('label', { for: limit.id }, 'Limit'), limit, value, unit];
  // The charts of repeated runs show all metrics.
  if (data.points.length === 1) return limits;
  return [
    createElement('label', { for: throughput.id }, 'Throughput'),
    throughput,
    createElement('label', { for: latency.id }, 'Latency'),
    latency,
    ...limits,
    createElement('label', { for: isLog.id }, isLog, ' logarithmic'),
  ];
}

function createMetricSelect(
  id: string,
  metrics: readonly SelectableMetric[],
  selected: string,
): HTMLSelectElement {
  return createElement(
    'select',
    { id },
    ...metrics.map(({ metric, name }) =>
      createElement('option', { value: metric, selected: metric === selected }, name.replace(/, ms$/, '')),
    ),
  );
}

function createLimitSelect(data: SweepData, hasGoodput: boolean): HTMLSelectElement {
  return createElement(
    'select',
    { id: 'choice-limit' },
    ...(hasGoodput
      ? [
          createElement(
            'option',
            { value: GOODPUT, selected: true },
            `--goodput: ${formatLimits(listGoodputLimits(data, 'p99'), data)}`,
          ),
        ]
      : []),
    createElement('option', { value: NONE, selected: !hasGoodput }, 'none'),
    ...data.latencies.map(({ metric, short }) =>
      createElement('option', { value: metric }, `${short} at most`),
    ),
  );
}
