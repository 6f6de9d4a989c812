import { csvKind } from '../csv/csvKind.ts';
import { Findings } from '../rules/findings.ts';
import { sniff } from '../source/sniff.ts';
import {
  decodeText,
  EncodingError,
  type Input,
  isSourceError,
  openSource,
  type Source,
  UnreadableError,
} from '../source/source.ts';
import type { DocumentKind } from './documentKind.ts';
import type { Issue } from './issue.ts';

export interface ValidateOptions {
  /** Also report fields that the schema does not name, and let warnings fail. */
  readonly strict?: boolean;
}

/** What `validate` found. */
export interface Validation {
  readonly document: DocumentKind;
  /** The schema version that the document states; `legacy` for the flat layout; null when it states none. */
  readonly version: string | null;
  /** Without errors, and under `strict` without warnings. */
  readonly valid: boolean;
  /** In the order of the file as far as there is one. At most 1000. */
  readonly issues: readonly Issue[];
  /** How many issues there were beyond those. */
  readonly moreIssues: number;
}

/** A path, of a file or of a partitioned dataset, a URL, bytes, a stream of them, a text, or a document that was parsed already. */
export type ValidateInput = Input | object;

/**
 * Checks an export: recognises what it is and names everything that is wrong with it, with its place, what is
 * there and what is allowed. Rules are described in docs/validation-rules.md.
 *
 * Never throws for what is in a file or for a file that cannot be read: that is an issue too.
 */
export async function validate(input: ValidateInput, options: ValidateOptions = {}): Promise<Validation> {
  const strict = options.strict ?? false;
  const findings = new Findings();
  const recognised = isSource(input)
    ? await validateInput(findings, input, strict)
    : await validateObject(findings, input, strict);
  const { kept, dropped, failed } = findings;
  return {
    document: recognised.document,
    version: recognised.version,
    valid: !failed && !(strict && kept.length > 0),
    issues: kept.map(finding => finding.issue),
    moreIssues: dropped,
  };
}

function isSource(input: ValidateInput): input is Input {
  return typeof input !== 'object' || input === null
    ? typeof input === 'string'
    : [URL, Uint8Array, ArrayBuffer].some(type => input instanceof type) || Symbol.asyncIterator in input;
}

interface Document {
  readonly document: DocumentKind;
  readonly version: string | null;
}

const unknown: Document = { document: 'unknown', version: null };
const parquet: Document = { document: 'server-metrics-parquet', version: '1.0' };

// Each format is loaded when a file of it comes: importing this package costs little.

async function validateObject(findings: Findings, value: object, strict: boolean): Promise<Document> {
  const { validateValue } = await import('./validateJson.ts');
  return await validateValue(findings.report, value, strict);
}

async function validateInput(findings: Findings, input: Input, strict: boolean): Promise<Document> {
  try {
    const source = await openSource(input);
    return await validateSource(findings, source, strict);
  } catch (error) {
    if (!isSourceError(error)) throw error;
    const rule = error instanceof EncodingError ? 'text-encoding' : 'file-unreadable';
    // The messages of the file system name neither what failed nor for whom.
    const message = error instanceof UnreadableError ? error.message : `cannot be read: ${error.message}`;
    findings.report(rule, [], message);
    return unknown;
  }
}

async function validateSource(findings: Findings, source: Source, strict: boolean): Promise<Document> {
  if (source.folder !== undefined) return await validateFolder(findings, source.folder);
  switch (sniff(source)) {
    case 'parquet':
      return await validateParquetSource(findings, source);
    case 'jsonl': {
      const { validateJsonl } = await import('./validateJsonl.ts');
      const document = await validateJsonl(findings, source.stream(), strict, source.name);
      return { document, version: document === 'server-metrics-jsonl' ? '1.0' : null };
    }
    case 'csv':
      return await validateCsvSource(findings, source);
    default:
      return await validateJsonSource(findings, source, strict);
  }
}

async function validateCsvSource(findings: Findings, source: Source): Promise<Document> {
  const text = decodeText(await source.bytes());
  const document = csvKind(text, source.name);
  if (document === 'server-metrics-csv') {
    const { validateCsv } = await import('./validateServerMetricsCsv.ts');
    return { document, version: validateCsv(findings, text) };
  }
  if (document === 'profile-aggregate-csv' || document === 'profile-sweep-csv') {
    const { validateAggregateCsv, validateSweepCsv } = await import('./validateAggregateCsv.ts');
    if (document === 'profile-sweep-csv') validateSweepCsv(findings, text);
    else validateAggregateCsv(findings, text);
    return { document, version: null };
  }
  const { validateProfileCsv, validateTimeslicesCsv } = await import('./validateProfileCsv.ts');
  if (document === 'profile-timeslices-csv') validateTimeslicesCsv(findings, text);
  else validateProfileCsv(findings, text);
  return { document, version: null };
}

async function validateJsonSource(findings: Findings, source: Source, strict: boolean): Promise<Document> {
  const { findingLines, validateJsonText } = await import('./validateJson.ts');
  const text = decodeText(await source.bytes());
  const recognised = await validateJsonText(findings, text, strict);
  if (findings.kept.length > 0) addLines(findings, findingLines(findings, text));
  return recognised;
}

/** Adds the lines, and puts the findings in their order. */
function addLines(findings: Findings, lines: readonly number[]): void {
  const placed = findings.kept.map((finding, index) => {
    return { ...finding, issue: { ...finding.issue, line: lines[index]! } };
  });
  findings.kept.splice(0, Number.POSITIVE_INFINITY, ...placed.sort((a, b) => a.issue.line - b.issue.line));
}

/** A folder is one document when it is a partitioned dataset; what else may be in folders is for the caller to name. */
async function validateFolder(findings: Findings, folder: string): Promise<Document> {
  const { isDataset } = await import('../parquet/datasetFolder.ts');
  if (!(await isDataset(folder))) {
    findings.report(
      'document-unknown',
      [],
      'is a folder with no export in it, such as server_metrics_export.json or profile_export_aiperf.json, and no partitioned dataset',
    );
    return unknown;
  }
  const { validateDataset } = await import('../parquet/validate/dataset.ts');
  for await (const issue of validateDataset(folder)) findings.take(issue);
  return parquet;
}

async function validateParquetSource(findings: Findings, source: Source): Promise<Document> {
  const { validateParquet } = await import('../parquet/validate/validate.ts');
  for (const issue of await validateParquet(source.file ?? (await source.bytes()))) findings.take(issue);
  return parquet;
}
