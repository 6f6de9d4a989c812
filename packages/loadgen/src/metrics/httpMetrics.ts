import type { RequestRecord } from '../requestRecord.ts';
import { msBetween } from './measure.ts';
import type { RecordMetric } from './recordMetric.ts';

/** Steps of one HTTP exchange, ms; undefined for what did not happen. */
export interface HttpSteps {
  readonly blocked: number | undefined;
  readonly dnsLookup: number;
  readonly connecting: number;
  readonly sending: number | undefined;
  readonly waiting: number | undefined;
  readonly receiving: number | undefined;
}

/** A connection that is used again was neither looked up nor made: both took 0. */
export function httpSteps({ trace }: RequestRecord): HttpSteps {
  return {
    blocked: msBetween(trace.startNs, trace.blockedEndNs),
    dnsLookup: msBetween(trace.lookupStartNs, trace.lookupEndNs) ?? 0,
    connecting: msBetween(trace.connectStartNs, trace.connectEndNs) ?? 0,
    sending: msBetween(trace.sendStartNs, trace.sendEndNs),
    // What is readable in one turn of the event loop has the time of the turn, which may lie before the end of sending.
    waiting: notNegative(msBetween(trace.sendEndNs, trace.firstByteNs)),
    receiving: msBetween(trace.firstByteNs, trace.lastByteNs),
  };
}

function notNegative(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.max(0, ms);
}

const KB = 1024;

/** Metrics of the HTTP exchange. Bytes are those of the bodies, as AIPerf counts them. */
export const HTTP_METRICS: readonly RecordMetric[] = [
  timed('http_req_blocked', ({ blocked }) => blocked),
  timed('http_req_dns_lookup', ({ dnsLookup }) => dnsLookup),
  timed('http_req_connecting', ({ connecting }) => connecting),
  timed('http_req_sending', ({ sending }) => sending),
  timed('http_req_waiting', ({ waiting }) => waiting),
  timed('http_req_receiving', ({ receiving }) => receiving),
  {
    tag: 'http_req_duration',
    unit: 'ms',
    of: ({ record: { trace } }) => msBetween(trace.sendStartNs, trace.lastByteNs),
  },
  timed('http_req_connection_overhead', overhead),
  timed('http_req_total', steps => sum(overhead(steps), steps.sending, steps.waiting, steps.receiving)),
  { tag: 'http_req_data_sent', unit: 'KB', of: ({ record }) => record.traffic.requestBytes / KB },
  { tag: 'http_req_data_received', unit: 'KB', of: ({ record }) => record.traffic.responseBytes / KB },
  // A body goes out in one piece.
  {
    tag: 'http_req_chunks_sent',
    unit: 'count',
    of: ({ record }) => (record.trace.sendEndNs === undefined ? undefined : 1),
  },
  { tag: 'http_req_chunks_received', unit: 'count', of: ({ record }) => record.traffic.reads },
  { tag: 'http_req_connection_reused', unit: 'ratio', of: ({ record }) => Number(record.connectionReused) },
];

function timed(tag: string, of: (steps: HttpSteps) => number | undefined): RecordMetric {
  return { tag, unit: 'ms', of: ({ record }) => of(httpSteps(record)) };
}

function overhead({ blocked, dnsLookup, connecting }: HttpSteps): number | undefined {
  return sum(blocked, dnsLookup, connecting);
}

function sum(...parts: (number | undefined)[]): number | undefined {
  return parts.reduce((all, part) => (all === undefined || part === undefined ? undefined : all + part), 0);
}
