import { documentFields, isMetricBlock } from '../csv/profileColumns.ts';
import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkDistribution } from './gauge.ts';
import { checkAverage } from './histogram.ts';
import { recordTags, singleTags } from './profileTags.ts';
import { checkTotals } from './profileTotals.ts';
import { checkTimes, checkTimestamp } from './time.ts';
import { field, numberAt, objectAt, objectsIn, percentileKeys, textAt, type Values } from './values.ts';

/** The metric blocks of a profile export, by tag. Seed 004: every other object with a unit. */
export function profileBlocks(document: Values): [tag: string, block: Values, path: Path][] {
  return objectsIn(document, []).filter(([key, block]) => !documentFields.has(key) && isMetricBlock(block));
}

/** What a schema cannot say about a profile export. `minor` is that of its schema version. Seed 004. */
export function checkProfile(report: Report, document: Values, minor: number): void {
  checkTimes(report, [], document);
  for (const [tag, block, path] of profileBlocks(document)) checkBlock(report, path, tag, block, minor);
  checkTotals(report, document);
  checkIdentity(report, document);
  checkNewer(report, document, minor);
}

/** One metric block. Before 1.1 (`minor` 0) there is no count. */
export function checkBlock(report: Report, path: Path, tag: string, block: Values, minor: number): void {
  checkDistribution(report, path, block);
  checkAverage(report, path, block, 'avg', 'sum', 'count');
  if (singleTags.has(tag)) checkSingle(report, path, block);
  else checkCount(report, path, tag, block, minor);
  const avg = numberAt(block, 'avg');
  if (/_timestamp$/.test(tag) && textAt(block, 'unit') === 'ns' && avg !== undefined && Number.isInteger(avg))
    checkTimestamp(report, [...path, 'avg'], BigInt(avg));
}

const spreadKeys: readonly string[] = ['min', 'max', 'std', ...percentileKeys];

/** Aggregate and derived metrics "carry only unit + avg". */
function checkSingle(report: Report, path: Path, block: Values): void {
  const extra = [...spreadKeys, 'count', 'sum'].find(key => Object.hasOwn(block, key));
  if (extra)
    report(
      'profile-kind',
      [...path, extra],
      `is there, but ${path.at(-1)} is a single value, which has a unit and avg only`,
      block[extra],
    );
}

/** "A record-metric block with no `count` indicates a bug"; a single value must not have one. */
function checkCount(report: Report, path: Path, tag: string, block: Values, minor: number): void {
  const spread = spreadKeys.find(key => Object.hasOwn(block, key));
  const count = numberAt(block, 'count');
  const isRecord = spread !== undefined || recordTags.has(tag);
  if (isRecord && count === undefined && minor >= 1)
    report(
      'profile-count',
      [...path, 'count'],
      `is missing although ${spread ? `the block has ${spread}` : `${tag} is measured request by request`}; a distribution has a count (since 1.1)`,
    );
  if (spread && count === 0)
    report('profile-count', [...path, 'count'], `is 0 although the block has ${spread}`, count);
  if (spread && count && minor >= 1 && !Object.hasOwn(block, 'sum'))
    report('profile-sum', [...path, 'sum'], `is missing although the block has ${spread} (since 1.1)`);
  if (!isRecord && count !== undefined)
    report(
      'profile-single',
      [...path, 'count'],
      `is ${count} although the block has no distribution; single values leave it out`,
      count,
    );
}

function checkIdentity(report: Report, document: Values): void {
  const id = textAt(document, 'benchmark_id');
  const info = objectAt(document, 'run_info');
  const same = info ? textAt(info, 'benchmark_id') : undefined;
  if (id !== undefined && same !== undefined && id !== same)
    report(
      'run-identity',
      ['run_info', 'benchmark_id'],
      `is ${same}, but benchmark_id of the document is ${id}`,
      same,
    );
}

/** Fields and the minor version that brought them. */
const since: readonly (readonly [path: readonly string[], minor: number])[] = [
  [['run_info'], 2],
  [['run_info', 'benchmark_id'], 3],
  [['run_info', 'sweep_id'], 3],
  [['run_info', 'cli_command'], 3],
];

function checkNewer(report: Report, document: Values, minor: number): void {
  for (const [path, version] of since) {
    const parent = path
      .slice(0, -1)
      .reduce<Values | undefined>((at, key) => at && objectAt(at, key), document);
    if (version <= minor || !parent || field(parent, path.at(-1)!) === undefined) continue;
    report('field-newer', path, `came with 1.${version}, but schema_version is 1.${minor}`);
  }
  if (minor >= 1) return;
  for (const [, block, path] of profileBlocks(document))
    for (const key of ['count', 'sum'])
      if (Object.hasOwn(block, key))
        report('field-newer', [...path, key], 'came with 1.1, but schema_version is 1.0');
}
