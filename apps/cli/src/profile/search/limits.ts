import type { SearchLimit, SlaFilter } from '@org/run';
import { UsageError } from '@org/terminal';
import { type RawOptions, readList, readNumber } from '@org/terminal/program';

const OPERATORS = { lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

/** AIPerf's form of a limit: METRIC:STATISTIC:OPERATOR:THRESHOLD. */
const FILTER = /^([\w-]+):(avg|min|max|p\d+):(lt|le|gt|ge):(.+)$/;

/** Creates a limit from AIPerf's form. The threshold is in the unit of the metric. */
export function createLimit(filter: SlaFilter): SearchLimit {
  const { metric_tag: tag, stat, op, threshold } = filter;
  return { rule: `${tag}.${stat} ${OPERATORS[op]} ${threshold}`, filter };
}

/**
 * Reads --search-sla: limits in AIPerf's form, and rules of `read check`, which `checkLimits` parses. Throws `UsageError` if a
 * threshold is invalid.
 */
export function readExtraLimits(raw: RawOptions): SearchLimit[] {
  return readList(raw, 'search-sla').map(parseLimit);
}

function parseLimit(text: string): SearchLimit {
  return parseFilter(text, 'search-sla') ?? { rule: text };
}

/** Parses AIPerf's form of a limit; undefined for another form. Throws `UsageError` if the threshold is not a number. */
export function parseFilter(text: string, option: string): SearchLimit | undefined {
  const [, tag, stat, op, value] = FILTER.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const threshold = Number(value);
  if (!Number.isFinite(threshold) || value!.trim() === '')
    throw new UsageError(
      `invalid --${option} ${JSON.stringify(text)}: ${JSON.stringify(value)} is not a number; expected a limit such as time_to_first_token:p95:lt:200`,
    );
  return createLimit({ metric_tag: tag, stat: stat!, op: op as SlaFilter['op'], threshold });
}

/** The limits of the options that name a latency or the failed requests. */
export interface NamedLimits {
  readonly ttftMs: number | undefined;
  readonly itlMs: number | undefined;
  readonly e2eMs: number | undefined;
  /** Share of failed requests, between 0 and 1. */
  readonly errorRate: number | undefined;
}

/** Reads --ttft-sla-ms and the like. Throws `UsageError` if a value is out of range. */
export function readNamedLimits(raw: RawOptions): NamedLimits {
  return {
    ttftMs: readNumber(raw, 'ttft-sla-ms', { above: 0 }),
    itlMs: readNumber(raw, 'itl-sla-ms', { above: 0 }),
    e2eMs: readNumber(raw, 'e2e-sla-ms', { above: 0 }),
    errorRate: readNumber(raw, 'error-rate-sla', { above: 0, below: 1 }),
  };
}

/** Creates the limits of the named options, as in AIPerf: p95 of TTFT and ITL, p99 of the latency. */
export function toLimits({ ttftMs, itlMs, e2eMs, errorRate }: NamedLimits): SearchLimit[] {
  const create = (tag: string, stat: string, threshold: number | undefined): SearchLimit[] =>
    threshold === undefined ? [] : [createLimit({ metric_tag: tag, stat, op: 'lt', threshold })];
  return [
    ...create('time_to_first_token', 'p95', ttftMs),
    ...create('inter_token_latency', 'p95', itlMs),
    ...create('request_latency', 'p99', e2eMs),
    // The metric is a percentage.
    ...create('request_error_rate', 'avg', errorRate === undefined ? undefined : 100 * errorRate),
  ];
}
