import { readProfileCsv } from '../csv/readProfileCsv.ts';
import { readTimeslicesCsv } from '../csv/readTimeslicesCsv.ts';
import type { CsvProblem } from '../csv/rows.ts';
import type { RuleId } from '../rules/catalog.ts';
import type { Findings, Report } from '../rules/findings.ts';
import { checkBlock } from '../rules/profile.ts';
import { asObject, listObjects } from '../rules/values.ts';

/** Rules that a valid file can violate if its values are rounded to two decimals, as AIPerf does. */
const EXACT_RULES: ReadonlySet<RuleId> = new Set<RuleId>(['gauge-spread', 'histogram-average']);

/** Minor schema version whose rules apply: 1.0, because the CSV has no counts. */
const MINOR_VERSION = 0;

/** Validates profile_export_aiperf.csv, in either layout. */
export function validateProfileCsv(findings: Findings, text: string): void {
  const { metrics, lines, isRounded, problems } = readProfileCsv(text);
  reportProblems(findings, problems);
  for (const [tag, block] of metrics) {
    const report = reportInRow(findings, lines.get(tag) ?? 1, tag, isRounded);
    checkBlock(report, [tag], tag, asObject(block)!, MINOR_VERSION);
  }
  if (problems.length === 0 && metrics.size === 0)
    findings.reportAt('csv-sections', 1, 'the file', 'has no metrics');
}

/** Validates profile_export_aiperf_timeslices.csv, in either layout. */
export function validateTimeslicesCsv(findings: Findings, text: string): void {
  const { slices, lines, isRounded, problems } = readTimeslicesCsv(text);
  reportProblems(findings, problems);
  let lastIndex = -1;
  for (const slice of slices) {
    const index = slice.timeslice_index ?? 0;
    const blocks = listObjects(asObject(slice), []);
    const firstLine = lines.get(`${index} ${blocks[0]?.[0]}`) ?? 1;
    if (index < lastIndex)
      findings.reportAt(
        'slices-order',
        firstLine,
        `line ${firstLine}, column Timeslice`,
        `is ${index}, but the previous slice is ${lastIndex}; slices must be in order`,
        index,
      );
    lastIndex = index;
    for (const [tag, block] of blocks) {
      const line = lines.get(`${index} ${tag}`) ?? firstLine;
      checkBlock(
        reportInRow(findings, line, `slice ${index}, ${tag}`, isRounded),
        [tag],
        tag,
        block,
        MINOR_VERSION,
      );
    }
  }
  if (problems.length === 0 && slices.length === 0)
    findings.reportAt('csv-sections', 1, 'the file', 'has no timeslices');
}

function reportProblems(findings: Findings, problems: readonly CsvProblem[]): void {
  for (const { rule, line, place, message, value } of problems)
    findings.reportAt(rule, line, place, message, value);
}

/** Returns a function that reports findings at the line and column of a row. */
function reportInRow(findings: Findings, line: number, name: string, isRounded: boolean): Report {
  return (rule, path, message, value) => {
    if (isRounded && EXACT_RULES.has(rule)) return;
    const column = path.slice(1).join(' ');
    const place = column ? `line ${line}, ${column}` : `line ${line}`;
    findings.reportAt(rule, line, `${place} (${name})`, message, value);
  };
}
