import type { CompareOptions } from '@org/analysis';
import { type Command, option, type RawOptions, readList, readNumber } from '@org/terminal/program';

/** The options that determine which values are compared, and which changes are significant. */
export const COMPARE_OPTION_GROUPS: NonNullable<Command['optionGroups']> = [
  {
    title: 'Metrics and series',
    options: {
      metric: option('TEXT', 'Compare only metrics whose names contain TEXT', {
        many: 'repeat',
        acceptsCommas: true,
      }),
      stat: option('NAME', 'Statistic to compare, such as p50_estimate', {
        many: 'repeat',
        acceptsCommas: true,
      }),
      'ignore-label': option(
        'LABEL',
        'Ignore this label when matching series; endpoint_url counts as a label',
        { many: 'repeat', acceptsCommas: true },
      ),
      by: option(
        'LABEL',
        'Match series by this label of the series or the target, and combine series that have the same value',
        {
          many: 'repeat',
          acceptsCommas: true,
        },
      ),
      rollup: option('METHOD', 'Method to combine several series into one', {
        choices: ['auto', 'sum', 'mean', 'max'],
        default: 'auto',
      }),
    },
  },
  {
    title: 'Significance',
    options: {
      test: option('TEST', 'Significance test for repeated runs', {
        choices: ['welch', 'mann-whitney'],
        default: 'welch',
      }),
      correction: option(
        'METHOD',
        'Correction for multiple comparisons: Benjamini-Hochberg (bh), Holm or none',
        { choices: ['bh', 'holm', 'none'], default: 'bh' },
      ),
      alpha: option('LEVEL', 'Significance level, from 0 to 1', { default: 0.05 }),
      'min-change': option('PERCENT', 'Ignore changes smaller than this percentage', { default: 1 }),
    },
  },
];

/** Reads the options of `COMPARE_OPTION_GROUPS`. */
export function readCompareOptions(raw: RawOptions): CompareOptions {
  const [stats, metrics, by, ignoreLabels] = ['stat', 'metric', 'by', 'ignore-label'].map(name =>
    raw[name] === undefined ? undefined : readList(raw, name),
  );
  return {
    ...(stats && { stats }),
    ...(metrics && { metrics }),
    ...(by && { by }),
    ...(ignoreLabels && { ignoreLabels }),
    rollup: raw.rollup as NonNullable<CompareOptions['rollup']>,
    test: raw.test as NonNullable<CompareOptions['test']>,
    correction: raw.correction as NonNullable<CompareOptions['correction']>,
    alpha: readNumber(raw, 'alpha', { min: 0, max: 1 })!,
    minChange: readNumber(raw, 'min-change', { min: 0 })! / 100,
  };
}
