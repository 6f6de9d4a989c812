import { readProfileCsv } from '../csv/readProfileCsv.ts';
import { readTimeslicesCsv } from '../csv/readTimeslicesCsv.ts';
import { type CsvProblem, type CsvRow, locateRow, WHOLE_FILE } from '../csv/rows.ts';
import type { RuleId } from '../generated/ruleSeverities.ts';
import type { Findings, Report } from '../rules/findings.ts';
import { checkBlock } from '../rules/profile.ts';
import { checkProfileTimeslices } from '../rules/profileTimeslices.ts';
import { asObject, listObjectItems, listObjects, type Values } from '../rules/values.ts';
import { checkSchema } from '../schema/checkSchema.ts';
import { loadBlockValidator } from '../schema/schemas.ts';

/** Rules that a valid file can violate if its values are rounded to two decimals, as AIPerf does. */
const EXACT_RULES: ReadonlySet<RuleId> = new Set<RuleId>(['gauge-spread', 'histogram-average']);

/** Minor schema version whose rules apply: 1.0, because the CSV has no counts. */
const MINOR_VERSION = 0;

/** Validates profile_export_aiperf.csv, in either layout. */
export async function validateProfileCsv(findings: Findings, text: string): Promise<void> {
  const { metrics, rows, isRounded, problems } = readProfileCsv(text);
  reportProblems(findings, problems);
  const validator = await loadBlockValidator('profile-export.1.4');
  for (const [tag, block] of metrics) {
    const report = reportInRow(findings, rows.get(tag)!, tag, isRounded);
    checkSchema((rule, path, ...rest) => report(rule, [tag, ...path], ...rest), validator, block);
    checkBlock(report, [tag], tag, asObject(block)!, MINOR_VERSION);
  }
  if (problems.length === 0 && metrics.size === 0)
    findings.reportAt('csv-sections', WHOLE_FILE, 'has no metrics');
}

/** Validates profile_export_aiperf_timeslices.csv, in either layout. */
export async function validateTimeslicesCsv(findings: Findings, text: string): Promise<void> {
  const { slices, rows, isRounded, problems } = readTimeslicesCsv(text);
  reportProblems(findings, problems);
  // The file does not state whether the last slice is complete.
  const lastSlice = { ...slices.at(-1), is_complete: false };
  const document: Values = {
    timeslices: [...slices.slice(0, -1), ...(slices.length > 0 ? [lastSlice] : [])],
  };
  const report: Report = (rule, [, place, tag, stat], message, value) => {
    if (isRounded && EXACT_RULES.has(rule)) return;
    const index = slices[Number(place)]!.timeslice_index!;
    const row = rows.get(`${index} ${tag} ${stat}`);
    const position = row
      ? locateRow(row, 'Value', `slice ${index}, ${tag} ${stat}`)
      : locateRow(rows.get(String(index))!, SLICE_COLUMNS[String(tag)], `slice ${index}`);
    findings.reportAt(rule, position, message, value);
  };
  const validator = await loadBlockValidator('profile-export.1.4');
  for (const [slice, path] of listObjectItems(document, 'timeslices', []))
    for (const [tag, block] of listObjects(slice, []))
      checkSchema(
        (rule, place, ...rest) => report(rule, [...path, tag, ...place], ...rest),
        validator,
        block,
      );
  checkProfileTimeslices(report, document);
  if (problems.length === 0 && slices.length === 0)
    findings.reportAt('csv-sections', WHOLE_FILE, 'has no timeslices');
}

/** Columns of the fields of a slice. */
const SLICE_COLUMNS: Readonly<Record<string, string>> = {
  timeslice_index: 'Timeslice',
  start_ns: 'Start_NS',
  end_ns: 'End_NS',
};

function reportProblems(findings: Findings, problems: readonly CsvProblem[]): void {
  for (const { rule, position, message, value } of problems)
    findings.reportAt(rule, position, message, value);
}

/** Returns a function that reports findings at the cells of a row. */
function reportInRow(findings: Findings, row: CsvRow, name: string, isRounded: boolean): Report {
  return (rule, path, message, value) => {
    if (isRounded && EXACT_RULES.has(rule)) return;
    const column = path.slice(1).join(' ');
    findings.reportAt(rule, locateRow(row, column, name), message, value);
  };
}
