import { Findings } from '../rules/findings.ts';
import { detectEncoding } from '../source/detectEncoding.ts';
import { type Input, isInput } from '../source/input.ts';
import { openSource } from '../source/openSource.ts';
import { isSourceError, type Source } from '../source/source.ts';
import { decodeText } from '../source/text.ts';
import { detectCsvKind } from './csvKind.ts';
import type { DocumentKind } from './documentKind.ts';
import type { Issue } from './issue.ts';
import { reportReadError } from './readError.ts';
import { isUncheckedFile } from './uncheckedFile.ts';
import { isJournal, type JournalCheck, validateJournal } from './validateJournal.ts';

/** Options of `validate`. */
export interface ValidateOptions {
  /** Report fields that are not in the schema and treat warnings as errors. Default: false. */
  readonly strict?: boolean;
  /** Checks a journal. Default: a journal is reported as an unknown document. */
  readonly checkJournal?: JournalCheck;
}

/** Result of `validate`. */
export interface Validation {
  readonly document: DocumentKind;
  /** The schema version stated in the document, or `legacy` for the flat layout; null if it states none. */
  readonly version: string | null;
  /** True if there are no errors and, with `strict`, no warnings. */
  readonly valid: boolean;
  /** The first 1,000 findings, in file order if the format has one. */
  readonly issues: readonly Issue[];
  /** Number of findings that are not in `issues`. */
  readonly moreIssues: number;
}

/** An input, of which a string is the text of a document, or a parsed document. */
export type ValidateInput = Input | object;

/**
 * Detects the kind of an export and validates it. Each issue states the place, the value and what is
 * expected. The rules are described in docs/validation-rules.md.
 *
 * Does not reject: invalid and unreadable files are reported as issues.
 */
export async function validate(input: ValidateInput, options: ValidateOptions = {}): Promise<Validation> {
  const strict = options.strict ?? false;
  const findings = new Findings();
  const detected = isInput(input)
    ? await validateInput(findings, input, options)
    : await validateObject(findings, input, strict);
  const { kept, dropped, failed } = findings;
  return {
    document: detected.document,
    version: detected.version,
    valid: !failed && !(strict && kept.length > 0),
    issues: kept,
    moreIssues: dropped,
  };
}

/** Kind and schema version of a validated document. */
interface Document {
  readonly document: DocumentKind;
  readonly version: string | null;
}

const UNKNOWN: Document = { document: 'unknown', version: null };
const NOT_CHECKED: Document = { document: 'not-checked', version: null };
const PARQUET: Document = { document: 'server-metrics-parquet', version: '1.0' };

// The validator of each format is imported on demand, so that this package loads quickly.

async function validateObject(findings: Findings, value: object, strict: boolean): Promise<Document> {
  const { validateValue } = await import('./validateJson.ts');
  return await validateValue(findings.report, value, strict);
}

async function validateInput(findings: Findings, input: Input, options: ValidateOptions): Promise<Document> {
  try {
    const source = await openSource(input);
    return await validateSource(findings, source, options);
  } catch (error) {
    if (!isSourceError(error)) throw error;
    reportReadError(findings.report, error);
    return UNKNOWN;
  }
}

async function validateSource(
  findings: Findings,
  source: Source,
  { strict = false, checkJournal }: ValidateOptions,
): Promise<Document> {
  if (source.folder !== undefined) return await validateFolder(findings, source.folder);
  if (isJournal(source.head)) {
    await validateJournal(findings, source, checkJournal);
    return { document: 'journal', version: null };
  }
  if (isUncheckedFile(source)) return NOT_CHECKED;
  switch (detectEncoding(source)) {
    case 'parquet':
      return await validateParquetSource(findings, source);
    case 'jsonl': {
      const { validateJsonl } = await import('./validateJsonl.ts');
      const document = await validateJsonl(findings, source.stream(), strict, source.name);
      return { document, version: document === 'server-metrics-jsonl' ? '1.0' : null };
    }
    case 'csv':
      return await validateCsvSource(findings, source);
    case 'text':
      findings.report('document-unknown', [], 'is text that is neither JSON nor CSV');
      return UNKNOWN;
    default:
      return await validateJsonSource(findings, source, strict);
  }
}

async function validateCsvSource(findings: Findings, source: Source): Promise<Document> {
  const text = decodeText(await source.bytes());
  const document = detectCsvKind(text, source.name);
  if (document === 'server-metrics-csv') {
    const { validateServerMetricsCsv } = await import('./validateServerMetricsCsv.ts');
    return { document, version: await validateServerMetricsCsv(findings, text) };
  }
  if (document === 'profile-aggregate-csv' || document === 'profile-sweep-csv') {
    const { validateAggregateCsv, validateSweepCsv } = await import('./validateAggregateCsv.ts');
    await (document === 'profile-sweep-csv' ? validateSweepCsv : validateAggregateCsv)(findings, text);
    return { document, version: null };
  }
  const { validateProfileCsv, validateTimeslicesCsv } = await import('./validateProfileCsv.ts');
  await (document === 'profile-timeslices-csv' ? validateTimeslicesCsv : validateProfileCsv)(findings, text);
  return { document, version: null };
}

async function validateJsonSource(findings: Findings, source: Source, strict: boolean): Promise<Document> {
  const { findFindingLines, validateJsonText } = await import('./validateJson.ts');
  const text = decodeText(await source.bytes());
  const detected = await validateJsonText(findings, text, strict);
  if (findings.kept.length > 0) addLines(findings, findFindingLines(findings, text));
  return detected;
}

/** Adds line numbers to the findings and sorts them by line. */
function addLines(findings: Findings, lines: readonly number[]): void {
  const issues = findings.kept.map((issue, index) => ({ ...issue, line: lines[index]! }));
  issues.sort((a, b) => a.line - b.line);
  findings.kept.splice(0, Number.POSITIVE_INFINITY, ...issues);
}

/** Validates a partitioned dataset. Any other folder is reported as unknown; callers list its files themselves. */
async function validateFolder(findings: Findings, folder: string): Promise<Document> {
  const { isDataset } = await import('../parquet/partition.ts');
  if (!(await isDataset(folder))) {
    findings.report(
      'document-unknown',
      [],
      'is a folder without exports; expected a file such as server_metrics_export.json, or a partitioned dataset',
    );
    return UNKNOWN;
  }
  const { validateDataset } = await import('../parquet/validate/dataset.ts');
  for await (const issue of validateDataset(folder)) findings.take(issue);
  return PARQUET;
}

async function validateParquetSource(findings: Findings, source: Source): Promise<Document> {
  const { validateParquet } = await import('../parquet/validate/validate.ts');
  for (const issue of await validateParquet(source.file ?? (await source.bytes()))) findings.take(issue);
  return PARQUET;
}
