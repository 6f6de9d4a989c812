import type { Path } from '../json/path.ts';
import { isMetricBlock } from '../json/profileMetrics.ts';
import type { Report } from './findings.ts';
import { checkBlock } from './profile.ts';
import { checkTimestamp } from './time.ts';
import { getField, getNanoseconds, getNumber, listObjectItems, listObjects, type Values } from './values.ts';

/** A slice with its number and, if the file states them, its start and end. */
interface Slice {
  readonly values: Values;
  readonly path: Path;
  readonly index: number;
  readonly startNs: bigint | undefined;
  readonly endNs: bigint | undefined;
}

/** Checks constraints on the timeslices of a profile export that JSON Schema cannot express. */
export function checkProfileTimeslices(report: Report, document: Values): void {
  const slices = listObjectItems(document, 'timeslices', []).map(toSlice);
  checkOrder(report, slices);
  checkAlignment(report, slices);
  checkPartial(report, slices);
  for (const { values, path } of slices)
    for (const [tag, block, place] of listObjects(values, path))
      if (isMetricBlock(block)) checkBlock(report, place, tag, block, 0);
}

function toSlice([values, path]: [Values, Path], place: number): Slice {
  return {
    values,
    path,
    index: getNumber(values, 'timeslice_index') ?? place,
    startNs: getNanoseconds(values, 'start_ns'),
    endNs: getNanoseconds(values, 'end_ns'),
  };
}

/** Checks that slices are in order. Slice numbers can have gaps, because slices without requests are omitted. */
function checkOrder(report: Report, slices: readonly Slice[]): void {
  slices.forEach(({ path, index, startNs: start, endNs: end }, place) => {
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
        `is ${index}, but the previous slice is ${before.index}; slices must be in order`,
        index,
      );
    if (start !== undefined && before.endNs !== undefined && start < before.endNs)
      report(
        'slices-order',
        [...path, 'start_ns'],
        `is ${start}, before the end of the previous slice (${before.endNs})`,
        start,
      );
  });
}

/** Checks that complete slices have the same duration, and that each starts a multiple of it after the first slice. */
function checkAlignment(report: Report, slices: readonly Slice[]): void {
  const [first] = slices;
  if (first?.startNs === undefined || first.endNs === undefined || slices.length < 2) return;
  const durationNs = first.endNs - first.startNs;
  const isNumbered = slices.every(
    ({ values, index }) => Object.hasOwn(values, 'timeslice_index') && Number.isInteger(index),
  );
  for (const { values, path, index, startNs: start, endNs: end } of slices.slice(1)) {
    if (start === undefined || end === undefined) continue;
    const offsetNs = start - first.startNs;
    const isAligned = isNumbered
      ? offsetNs === BigInt(index - first.index) * durationNs
      : offsetNs % durationNs === 0n;
    if (!isAligned && durationNs > 0n)
      report(
        'slices-aligned',
        [...path, 'start_ns'],
        `is ${start}, ${offsetNs} ns after the first slice; expected a multiple of the slice duration, ${durationNs} ns`,
        start,
      );
    if (getField(values, 'is_complete') !== false && end - start !== durationNs)
      report(
        'slices-aligned',
        [...path, 'end_ns'],
        `ends a slice of ${end - start} ns; the first slice has ${durationNs} ns, and only a partial slice may be shorter`,
        end,
      );
  }
}

/** Checks that only the last slice is partial. */
function checkPartial(report: Report, slices: readonly Slice[]): void {
  for (const { values, path } of slices.slice(0, -1))
    if (getField(values, 'is_complete') === false)
      report(
        'slices-partial',
        [...path, 'is_complete'],
        'is false; only the last slice can be partial',
        false,
      );
}
