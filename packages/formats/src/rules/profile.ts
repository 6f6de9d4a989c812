import type { Path } from '../json/path.ts';
import { listProfileBlocks, RECORD_TAGS, SINGLE_TAGS } from '../json/profileMetrics.ts';
import { isWeightedByTime } from '../json/profileTags.ts';
import type { Report } from './findings.ts';
import { checkDistribution } from './gauge.ts';
import { checkAverage } from './histogram.ts';
import { checkTotals } from './profileTotals.ts';
import { checkTypes, checkValues } from './profileValues.ts';
import { checkTelemetry } from './telemetry.ts';
import { checkTimes, checkTimestamp } from './time.ts';
import {
  getField,
  getNumber,
  getObject,
  getText,
  listObjects,
  PERCENTILE_KEYS,
  type Values,
} from './values.ts';

/**
 * Checks constraints on a profile export that JSON Schema cannot express.
 *
 * @param minor minor schema version of the document
 */
export function checkProfile(report: Report, document: Values, minor: number): void {
  checkTimes(report, [], document);
  checkTypes(report, document, []);
  for (const [tag, block, path] of listProfileBlocks(document)) checkBlock(report, path, tag, block, minor);
  checkWarmup(report, document, minor);
  checkTelemetry(report, ['telemetry_data'], getObject(document, 'telemetry_data') ?? {});
  checkTotals(report, document);
  checkIdentity(report, document);
  checkNewer(report, document, minor);
}

/** Checks the metrics of the warm-up. */
function checkWarmup(report: Report, document: Values, minor: number): void {
  const metrics = getObject(document, 'warmup_metrics') ?? {};
  checkTypes(report, metrics, ['warmup_metrics']);
  for (const [tag, block, path] of listObjects(metrics, ['warmup_metrics']))
    checkBlock(report, path, tag, block, minor);
}

/** Checks one metric block. In version 1.0 (`minor` 0), blocks have no counts. */
export function checkBlock(report: Report, path: Path, tag: string, block: Values, minor: number): void {
  checkValues(report, path, tag, block);
  checkDistribution(report, path, block);
  checkAverage(report, path, block, 'avg', 'sum', 'count');
  if (SINGLE_TAGS.has(tag)) checkSingle(report, path, block);
  else checkCount(report, path, tag, block, minor);
  const avg = getNumber(block, 'avg');
  if (
    /_timestamp$/.test(tag) &&
    getText(block, 'unit') === 'ns' &&
    avg !== undefined &&
    Number.isInteger(avg)
  )
    checkTimestamp(report, [...path, 'avg'], BigInt(avg));
}

/** Statistics that only distributions have. */
const SPREAD_KEYS: readonly string[] = ['min', 'max', 'std', ...PERCENTILE_KEYS];

/** Checks that a metric that is a single value, such as a throughput, has only a unit and `avg`. */
function checkSingle(report: Report, path: Path, block: Values): void {
  const extra = [...SPREAD_KEYS, 'count', 'sum'].find(key => Object.hasOwn(block, key));
  if (extra)
    report(
      'profile-kind',
      [...path, extra],
      `is present, but ${path.at(-1)} is a single value, which has only unit and avg`,
      block[extra],
    );
}

/** Checks that a metric that is measured per request has a count, and that a single value has none. */
function checkCount(report: Report, path: Path, tag: string, block: Values, minor: number): void {
  const spread = SPREAD_KEYS.find(key => Object.hasOwn(block, key));
  const count = getNumber(block, 'count');
  if (isWeightedByTime(tag)) return;
  const isRecord = spread !== undefined || RECORD_TAGS.has(tag);
  if (isRecord && count === undefined && minor >= 1)
    report(
      'profile-count',
      [...path, 'count'],
      `is missing, but ${spread ? `the block has ${spread}` : `${tag} is measured for each request`}; distributions have a count since version 1.1`,
    );
  if (spread && count === 0)
    report('profile-count', [...path, 'count'], `is 0, but the block has ${spread}`, count);
  // AIPerf's adjusted metrics, which count failed requests as infinite, have no sum.
  if (spread && count && minor >= 1 && !tag.startsWith('adj_') && !Object.hasOwn(block, 'sum'))
    report(
      'profile-sum',
      [...path, 'sum'],
      `is missing, but the block has ${spread}; distributions have a sum since version 1.1`,
    );
  if (!isRecord && count !== undefined)
    report(
      'profile-single',
      [...path, 'count'],
      `is ${count}, but the block has no distribution; single values have no count`,
      count,
    );
}

/** Checks that `benchmark_id` is the same in the document and in `run_info`. */
function checkIdentity(report: Report, document: Values): void {
  const id = getText(document, 'benchmark_id');
  const info = getObject(document, 'run_info');
  const runId = info ? getText(info, 'benchmark_id') : undefined;
  if (id !== undefined && runId !== undefined && id !== runId)
    report(
      'run-identity',
      ['run_info', 'benchmark_id'],
      `is ${runId}, but the benchmark_id of the document is ${id}`,
      runId,
    );
}

/** Fields and the minor schema version that introduced each of them. */
const INTRODUCED_IN: readonly (readonly [path: readonly string[], minor: number])[] = [
  [['run_info'], 2],
  [['run_info', 'benchmark_id'], 3],
  [['run_info', 'sweep_id'], 3],
  [['run_info', 'cli_command'], 3],
];

/** Reports fields that are newer than the stated schema version. */
function checkNewer(report: Report, document: Values, minor: number): void {
  for (const [path, version] of INTRODUCED_IN) {
    const parent = path
      .slice(0, -1)
      .reduce<Values | undefined>((at, key) => at && getObject(at, key), document);
    if (version <= minor || !parent || getField(parent, path.at(-1)!) === undefined) continue;
    report('field-newer', path, `was added in version 1.${version}, but schema_version is 1.${minor}`);
  }
  if (minor >= 1) return;
  for (const [, block, path] of listProfileBlocks(document))
    for (const key of ['count', 'sum'])
      if (Object.hasOwn(block, key))
        report('field-newer', [...path, key], 'was added in version 1.1, but schema_version is 1.0');
}
