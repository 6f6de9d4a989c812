import type { ClientRequest, ClientRequests, Outcome } from '../timeline/clientRequests.ts';
import { roundDigits, roundSeconds } from './values.ts';

/** Single requests: as dots, and the slowest ones as rows. */
export interface RequestDots {
  /** The number of requests of the run. */
  readonly count: number;
  /** The number of requests that are drawn. */
  readonly shown: number;
  /** The number of requests without a first token, which are not drawn; and of those that failed. */
  readonly missing: number;
  readonly missingFailed: number;
  /** Seconds and latency in ms, by outcome. */
  readonly dots: readonly {
    readonly outcome: Outcome;
    readonly points: readonly (readonly [number, number])[];
  }[];
  readonly slowest: readonly RequestRow[];
  /** What the dots show: the time to the first token or, without streaming, the latency. */
  readonly quantity: string;
}

/** A row of the table of slow requests. Latencies are in ms. */
export interface RequestRow {
  readonly id: string;
  readonly sent: number;
  readonly outcome: Outcome;
  readonly firstToken: number | null;
  readonly interToken: number | null;
  readonly latency: number | null;
  readonly outputTokens: number | null;
}

const OUTCOMES: readonly Outcome[] = ['ok', 'late', 'failed', 'cancelled'];
/** The number of rows of the table. */
const MAX_ROWS = 50;

/** Builds the dots and rows of requests. */
export function buildRequestDots(requests: ClientRequests): RequestDots {
  const selected = requests.selectRequests();
  const hasFirstToken = selected.some(({ firstToken }) => firstToken !== undefined);
  // Without a first token, nothing is drawn: another time would look like one.
  const read = ({ firstToken, latency, sent, end }: ClientRequest): number | undefined =>
    hasFirstToken ? firstToken : (latency ?? (end - sent) * 1000);
  const dots = OUTCOMES.map(outcome => ({
    outcome,
    points: selected
      .filter(request => request.outcome === outcome)
      .flatMap(request => {
        const value = read(request);
        return value === undefined ? [] : [[roundSeconds(request.sent), roundDigits(value)] as const];
      }),
  })).filter(({ points }) => points.length > 0);
  return {
    count: requests.count,
    shown: dots.reduce((sum, { points }) => sum + points.length, 0),
    missing: hasFirstToken ? addUp(Object.values(requests.withoutFirstToken)) : 0,
    missingFailed: hasFirstToken ? requests.withoutFirstToken.failed : 0,
    dots,
    slowest: requests.listSlowest().slice(0, MAX_ROWS).map(toRow),
    quantity: hasFirstToken ? 'Time to first token, ms' : 'Latency of requests, ms',
  };
}

function addUp(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function toRow({
  id,
  sent,
  outcome,
  firstToken,
  interToken,
  latency,
  outputTokens,
}: ClientRequest): RequestRow {
  const round = (value: number | undefined): number | null =>
    value === undefined ? null : roundDigits(value);
  return {
    id: id ?? '',
    sent: roundSeconds(sent),
    outcome,
    firstToken: round(firstToken),
    interToken: round(interToken),
    latency: round(latency),
    outputTokens: outputTokens ?? null,
  };
}
