import { formatCount } from '@org/core';
import type { TraceAnalysis, TraceStatistics } from '@org/loadgen';
import { renderTable } from '@org/terminal/layout';

const COLUMNS = ['mean', 'std dev', 'min', 'p25', 'median', 'p75', 'max'] as const;
const NAME_WIDTH = 28;
const VALUE_WIDTH = 12;

/** Renders the analysis of a trace: counts, and a table of statistics. */
export function renderTraceAnalysis(analysis: TraceAnalysis): string {
  const rows: readonly (readonly [string, TraceStatistics | null])[] = [
    ['prompt length (tokens)', analysis.isl_stats],
    ['  shared with others', analysis.context_length_stats],
    ['  not shared', analysis.unique_prompt_length_stats],
    ['output length (tokens)', analysis.osl_stats],
    ['blocks of earlier requests', analysis.hit_rate_stats],
  ];
  const columns = COLUMNS.map(() => ({ width: VALUE_WIDTH, align: 'right' as const }));
  const table = renderTable(
    [{ width: NAME_WIDTH, align: 'left' }, ...columns],
    [['', ...COLUMNS], ...rows.map(([name, statistics]) => [name, ...formatStatistics(statistics)])],
  );
  const { total_requests: requests, unique_prefixes: prefixes, num_prefix_groups: groups } = analysis;
  return [
    `${formatCount(requests, 'request')}, ${formatCount(prefixes, 'different sequence')} of blocks at the start of prompts`,
    `${formatCount(groups, 'first block')} that several requests share`,
    '',
    table,
  ].join('\n');
}

/** Formats statistics with two decimals. */
function formatStatistics(statistics: TraceStatistics | null): string[] {
  if (statistics === null) return COLUMNS.map(() => '-');
  const { mean, std_dev: deviation, min, p25, median, p75, max } = statistics;
  return [mean, deviation, min, p25, median, p75, max].map(value => value.toFixed(2));
}
