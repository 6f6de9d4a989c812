import type { RunRecord } from '@org/record';
import { parseTimeNs } from '@org/record/open';
import { UsageError } from '@org/terminal';
import { type RawOptions, shownValue, singleValue, textValue } from '../optionvalue.ts';

type Period = RunRecord['period'];
/** What a window can be measured in: the profiling period of a run, and all of it. */
export type RunTimes = Pick<RunRecord, 'period' | 'startNs' | 'endNs'>;

/** Windows that have a name. */
const NAMED: Readonly<Record<string, (run: RunTimes) => Period>> = {
  profiling: ({ period }) => period,
  run: ({ startNs, endNs }) => ({ startNs, endNs }),
  warmup: ({ startNs, period }) => ({ startNs, endNs: period.startNs - 1n }),
};

const EXPECTED =
  'seconds after the start of profiling (10, -2.5), a time (2026-11-21T08:15:30Z) or nanoseconds since 1970';

/**
 * The window of `--window`, or of `--start` and `--end`; undefined when none is asked for. Throws `UsageError`.
 */
export function windowOf(raw: RawOptions, run: RunTimes): Period | undefined {
  const period = askedFor(raw, run);
  if (period === undefined || (period.startNs <= run.endNs && period.endNs >= run.startNs)) return period;
  const [from, to] = [run.startNs, run.endNs].map(ns => seconds(ns - run.period.startNs));
  throw new UsageError(
    `the window has nothing of the run, which was scraped from ${from} s to ${to} s after the start of profiling`,
  );
}

function askedFor(raw: RawOptions, run: RunTimes): Period | undefined {
  const window = textValue(raw, 'window', 'START..END');
  const [start, end] = [singleValue(raw, 'start'), singleValue(raw, 'end')];
  if (window !== undefined && (start !== undefined || end !== undefined))
    throw new UsageError('cannot use --window together with --start or --end');
  if (window !== undefined) return namedOrRange(window, run);
  if (start === undefined && end === undefined) return undefined;
  return checked({
    startNs: start === undefined ? run.period.startNs : moment('--start', start, run),
    endNs: end === undefined ? run.period.endNs : moment('--end', end, run),
  });
}

function namedOrRange(window: string, run: RunTimes): Period {
  const named = NAMED[window];
  if (named) return checked(named(run));
  const parts = window.split('..');
  if (parts.length !== 2) {
    throw new UsageError(
      `--window is ${JSON.stringify(window)}; expected START..END or ${Object.keys(NAMED).join(', ')}`,
    );
  }
  const [start, end] = parts as [string, string];
  return checked({
    startNs: start.trim() === '' ? run.period.startNs : moment('--window', start, run),
    endNs: end.trim() === '' ? run.period.endNs : moment('--window', end, run),
  });
}

function checked(period: Period): Period {
  if (period.startNs <= period.endNs) return period;
  throw new UsageError(`the window ends ${seconds(period.startNs - period.endNs)} s before it starts`);
}

function moment(option: string, value: unknown, { period }: RunTimes): bigint {
  const text = String(value).trim();
  if (/^\d{15,19}$/.test(text)) return BigInt(text);
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)s?$/.test(text))
    return period.startNs + secondsNs(Number(text.replace('s', '')));
  const ns = parseTimeNs(text);
  if (ns !== undefined) return ns;
  throw new UsageError(`${option} is ${shownValue(value)}; expected ${EXPECTED}`);
}

function secondsNs(value: number): bigint {
  return BigInt(Math.round(value * 1e9));
}

function seconds(ns: bigint): string {
  return String(Number(ns) / 1e9);
}
