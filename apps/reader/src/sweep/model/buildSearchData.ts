import { describeSearch } from '@org/analysis';
import { formatCount, formatNumber } from '@org/core';
import type { BoundarySummary, SearchHistory } from '@org/formats';
import type { Conclusion } from './conclusion.ts';
import { buildLimitCharts, getShortName } from './limitCharts.ts';
import type { ProbeData, SearchData } from './sweepData.ts';

/** Builds the part of the page that shows the result of a search, and its probes. */
export function buildSearchData(search: SearchHistory): SearchData {
  const { headline, facts } = describeSearch(search);
  const runs = formatCount(search.iterations.length, 'run');
  return {
    conclusion: {
      tone: chooseTone(search),
      label: 'Result of the search:',
      sentence: `${headline}.`,
      // A chart and a table show the runs.
      facts: facts.flatMap(({ name, text }) => (name === runs ? [] : `${name}: ${text}`)),
    },
    charts: buildLimitCharts(search),
    parameters: search.config.search_space.map(({ path }) => getShortName(path)),
    probes: search.iterations.map((probe, i) => buildProbe(search, probe, i)),
  };
}

function chooseTone({
  boundary_summary: boundary,
  is_complete: isComplete,
}: SearchHistory): Conclusion['tone'] {
  if (!boundary) return 'unknown';
  if (isComplete === false || !isKnown(boundary)) return 'warning';
  return 'good';
}

function isKnown({ feasible_max: passed, is_monotonic: isMonotonic }: BoundarySummary): boolean {
  return passed != null && isMonotonic !== false;
}

function buildProbe(
  { config }: SearchHistory,
  { variation_values: values, verdict, feasible, limits = [], error }: SearchHistory['iterations'][number],
  i: number,
): ProbeData {
  const details = limits.map(({ limit, detail }) =>
    detail.includes(limit) ? detail : `${limit}: ${detail}`,
  );
  return {
    run: i + 1,
    values: config.search_space.map(({ path }) => {
      const value = values[path];
      return value === undefined ? '' : formatNumber(Number(value.toPrecision(6)));
    }),
    verdict: verdict ?? (feasible ? 'passed' : 'failed'),
    detail: details.length > 0 ? details.join('; ') : (error ?? ''),
  };
}
