import type { RunRecord } from '@org/record';
import { parseTimeNs } from '@org/record/open';
import { UsageError } from '@org/terminal';
import { createOptionError, type RawOptions, readText } from '@org/terminal/program';

type Period = RunRecord['period'];

/** Times of a run: its profiling period, and its start and end. */
export type RunTimes = Pick<RunRecord, 'period' | 'startNs' | 'endNs'>;

/** Time ranges with a name. */
const NAMED_WINDOWS: Readonly<Record<string, (run: RunTimes) => Period>> = {
  profiling: ({ period }) => period,
  run: ({ startNs, endNs }) => ({ startNs, endNs }),
  warmup: ({ startNs, period }) => ({ startNs, endNs: period.startNs - 1n }),
};

const EXPECTED_TIME =
  'seconds relative to the start of profiling (10, -2.5), an ISO 8601 timestamp (2026-11-21T08:15:30Z), or Unix time in nanoseconds';

/** Reads --window, or --start and --end; undefined if none of them is set. Throws `UsageError`. */
export function readWindow(raw: RawOptions, run: RunTimes): Period | undefined {
  const period = parseWindow(raw, run);
  if (period === undefined || (period.startNs <= run.endNs && period.endNs >= run.startNs)) return period;
  const [start, end] = [run.startNs, run.endNs].map(ns => formatSeconds(ns - run.period.startNs));
  throw new UsageError(
    `the time range is outside the run, which lasted from ${start} s to ${end} s relative to the start of profiling`,
  );
}

function parseWindow(raw: RawOptions, run: RunTimes): Period | undefined {
  const window = readText(raw, 'window', 'START..END');
  const [start, end] = [raw.start, raw.end];
  if (window !== undefined && (start !== undefined || end !== undefined))
    throw new UsageError('cannot use --window together with --start or --end');
  if (window !== undefined) return parseWindowOption(window, run);
  if (start === undefined && end === undefined) return undefined;
  return checkOrder({
    startNs: start === undefined ? run.period.startNs : parseTime('start', start, run),
    endNs: end === undefined ? run.period.endNs : parseTime('end', end, run),
  });
}

function parseWindowOption(window: string, run: RunTimes): Period {
  const named = NAMED_WINDOWS[window];
  if (named) return checkOrder(named(run));
  const parts = window.split('..');
  if (parts.length !== 2)
    throw createOptionError('window', window, `START..END, ${Object.keys(NAMED_WINDOWS).join(', ')}`);
  const [start, end] = parts as [string, string];
  return checkOrder({
    startNs: start.trim() === '' ? run.period.startNs : parseTime('window', start, run),
    endNs: end.trim() === '' ? run.period.endNs : parseTime('window', end, run),
  });
}

function checkOrder(period: Period): Period {
  if (period.startNs <= period.endNs) return period;
  throw new UsageError(
    `the time range ends ${formatSeconds(period.startNs - period.endNs)} s before its start`,
  );
}

function parseTime(option: string, value: unknown, { period }: RunTimes): bigint {
  const text = String(value).trim();
  if (/^\d{15,19}$/.test(text)) return BigInt(text);
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)s?$/.test(text))
    return period.startNs + toNanoseconds(Number(text.replace('s', '')));
  const ns = parseTimeNs(text);
  if (ns !== undefined) return ns;
  throw createOptionError(option, value, EXPECTED_TIME);
}

function toNanoseconds(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e9));
}

function formatSeconds(ns: bigint): string {
  return String(Number(ns) / 1e9);
}
