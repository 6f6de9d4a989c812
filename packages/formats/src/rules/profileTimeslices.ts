import { isMetricBlock } from '../csv/profileColumns.ts';
import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkBlock } from './profile.ts';
import { checkTimestamp } from './time.ts';
import { field, nanosecondsAt, numberAt, objectItems, objectsIn, type Values } from './values.ts';

/** A slice with its number and, where the file has them, its times. */
interface Slice {
  readonly values: Values;
  readonly path: Path;
  readonly index: number;
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
}

/** What a schema cannot say about the timeslices of a profile export. Reference, section B6. */
export function checkProfileTimeslices(report: Report, document: Values): void {
  const slices = objectItems(document, 'timeslices', []).map(sliceOf);
  checkOrder(report, slices);
  checkAlignment(report, slices);
  checkPartial(report, slices);
  for (const { values, path } of slices)
    for (const [tag, block, place] of objectsIn(values, path))
      if (isMetricBlock(block)) checkBlock(report, place, tag, block, 0);
}

function sliceOf([values, path]: [Values, Path], place: number): Slice {
  return {
    values,
    path,
    index: numberAt(values, 'timeslice_index') ?? place,
    start: nanosecondsAt(values, 'start_ns'),
    end: nanosecondsAt(values, 'end_ns'),
  };
}

/** Slices follow each other; numbers may be left out, where a slice had no request. */
function checkOrder(report: Report, slices: readonly Slice[]): void {
  slices.forEach(({ path, index, start, end }, place) => {
    const before = slices[place - 1];
    if (start !== undefined) checkTimestamp(report, [...path, 'start_ns'], start);
    if (end !== undefined) checkTimestamp(report, [...path, 'end_ns'], end);
    if (start !== undefined && end !== undefined && end <= start)
      report('slices-order', [...path, 'end_ns'], `is ${end}, not after start_ns (${start})`, end);
    if (!before) return;
    if (index <= before.index)
      report(
        'slices-order',
        [...path, 'timeslice_index'],
        `is ${index}, not after ${before.index} of the slice before`,
        index,
      );
    if (start !== undefined && before.end !== undefined && start < before.end)
      report(
        'slices-order',
        [...path, 'start_ns'],
        `is ${start}, before the end of the slice before (${before.end})`,
        start,
      );
  });
}

/** All complete slices are equally long, and each begins that many lengths after the first. */
function checkAlignment(report: Report, slices: readonly Slice[]): void {
  const [first] = slices;
  if (first?.start === undefined || first.end === undefined || slices.length < 2) return;
  const length = first.end - first.start;
  const numbered = slices.every(({ values }) => Object.hasOwn(values, 'timeslice_index'));
  for (const { values, path, index, start, end } of slices.slice(1)) {
    if (start === undefined || end === undefined) continue;
    const offset = start - first.start;
    const isAligned = numbered ? offset === BigInt(index - first.index) * length : offset % length === 0n;
    if (!isAligned && length > 0n)
      report(
        'slices-aligned',
        [...path, 'start_ns'],
        `is ${start}, ${offset} ns after the first slice; slices of ${length} ns begin a multiple of that apart`,
        start,
      );
    if (field(values, 'is_complete') !== false && end - start !== length)
      report(
        'slices-aligned',
        [...path, 'end_ns'],
        `makes a slice of ${end - start} ns; the first has ${length} ns, and only a partial one may be shorter`,
        end,
      );
  }
}

function checkPartial(report: Report, slices: readonly Slice[]): void {
  for (const { values, path } of slices.slice(0, -1))
    if (field(values, 'is_complete') === false)
      report(
        'slices-partial',
        [...path, 'is_complete'],
        'is false; only the last slice can be cut short',
        false,
      );
}
