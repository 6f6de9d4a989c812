/**
 * Measures the change points of `read trend` on generated series with known changes: how often a change is reported in a
 * series without changes, and how often a change is found, with its position. Prints one JSON line per kind of series.
 *
 * A trend has 15 independent metrics with a noise of 2%. Of trends with a change, 5 metrics change: a slower server changes
 * several metrics.
 *
 * Usage: npm run bench -- trend [--trends 200] [--seed 1] [--runs 12 30 100] [--case WORD]
 */
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { measureRates } from './rates.ts';
import { listChangedScenarios, listStableScenarios, type Scenario } from './scenarios.ts';

const {
  trends,
  seed,
  runs: lengths,
  case: word,
} = yargs(hideBin(argv))
  .option('trends', { type: 'number', default: 200, describe: 'Number of trends per kind of series' })
  .option('seed', { type: 'number', default: 1, describe: 'Seed of the first trend' })
  .option('runs', { type: 'number', array: true, default: [12, 30, 100], describe: 'Numbers of runs' })
  .option('case', { type: 'string', default: '', describe: 'Only cases whose names contain this word' })
  .strict()
  .parseSync();

const METRICS = 15;
const CHANGED_METRICS = 5;
const isSelected = ({ name }: Scenario): boolean => name.includes(word);

for (const runs of lengths) {
  const [stable] = listStableScenarios(runs);
  for (const scenario of listStableScenarios(runs).filter(isSelected)) {
    const { falseAlarms } = measureRates(scenario, scenario, { trends, metrics: METRICS, changed: 0, seed });
    print({ case: scenario.name, runs, trends, metrics: METRICS, false_alarms: falseAlarms });
  }
  for (const scenario of listChangedScenarios(runs).filter(isSelected)) {
    const rates = measureRates(scenario, stable!, {
      trends,
      metrics: METRICS,
      changed: CHANGED_METRICS,
      seed,
    });
    print({
      case: scenario.name,
      runs,
      trends,
      metrics: METRICS,
      changed_metrics: CHANGED_METRICS,
      ...(scenario.isDrift ? {} : { detected: rates.detected, located: rates.located }),
      surplus: rates.surplus,
      without_position: rates.drifts,
      false_alarms: rates.falseAlarms,
    });
  }
}

function print(figures: object): void {
  console.log(JSON.stringify({ bench: 'trend', ...figures }));
}
