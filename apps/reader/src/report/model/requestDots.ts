import type { ClientRequest, ClientRequests, Outcome } from '../timeline/clientRequests.ts';
import { roundDigits, roundSeconds } from './values.ts';

/** Single requests, which are drawn as dots and listed in a table. */
export interface RequestDots {
  /** The number of requests of the run. */
  readonly count: number;
  /** The number of requests of the run without a first token, which are not drawn; and of those that failed. */
  readonly missing: number;
  readonly missingFailed: number;
  /** The slowest requests, slowest first, and then a regular sample of the others. */
  readonly rows: readonly RequestRow[];
  /** The value of a dot: the time to the first token or, without streaming, the latency. */
  readonly value: 'firstToken' | 'latency';
}

/** A request. Latencies are in ms. */
export interface RequestRow {
  /** The position in the export of requests, from 1. */
  readonly record: number;
  readonly id?: string;
  readonly sent: number;
  readonly outcome: Outcome;
  readonly firstToken: number | null;
  readonly interToken: number | null;
  readonly latency: number | null;
  readonly outputTokens: number | null;
}

/** The number of rows with the ID of their request. An ID has 36 characters; the others are found by their record. */
const MAX_IDS = 50;

/** Selects the requests that are drawn and listed. */
export function buildRequestDots(requests: ClientRequests): RequestDots {
  const selected = requests.selectRequests();
  const hasFirstToken = selected.some(({ firstToken }) => firstToken !== undefined);
  return {
    count: requests.count,
    missing: hasFirstToken ? addUp(Object.values(requests.withoutFirstToken)) : 0,
    missingFailed: hasFirstToken ? requests.withoutFirstToken.failed : 0,
    rows: selected.map((request, i) => toRow(request, i < MAX_IDS, hasFirstToken)),
    value: hasFirstToken ? 'firstToken' : 'latency',
  };
}

function addUp(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function toRow(request: ClientRequest, hasId: boolean, isStreamed: boolean): RequestRow {
  const { record, id, sent, end, outcome, firstToken, interToken, latency, outputTokens } = request;
  const round = (value: number | undefined): number | null =>
    value === undefined ? null : roundDigits(value);
  return {
    record,
    ...(hasId && id !== undefined && { id }),
    sent: roundSeconds(sent),
    outcome,
    firstToken: round(firstToken),
    interToken: round(interToken),
    latency: round(latency ?? (isStreamed ? undefined : (end - sent) * 1000)),
    outputTokens: outputTokens ?? null,
  };
}
