import type { RequestRecord } from '../requestRecord.ts';
import { measureMs, type RecordMetric } from './measure.ts';

const BYTES_PER_KB = 1024;

/** Metrics of the HTTP exchange. Amounts of data include bodies but not headers, as in AIPerf. */
export const HTTP_METRICS: readonly RecordMetric[] = [
  createStepMetric('http_req_blocked', ({ blocked }) => blocked),
  createStepMetric('http_req_dns_lookup', ({ dnsLookup }) => dnsLookup),
  createStepMetric('http_req_connecting', ({ connecting }) => connecting),
  createStepMetric('http_req_sending', ({ sending }) => sending),
  createStepMetric('http_req_waiting', ({ waiting }) => waiting),
  createStepMetric('http_req_receiving', ({ receiving }) => receiving),
  {
    tag: 'http_req_duration',
    unit: 'ms',
    compute: ({ record: { trace } }) => measureMs(trace.sendStartNs, trace.lastByteNs),
  },
  createStepMetric('http_req_connection_overhead', addConnectionSteps),
  createStepMetric('http_req_total', steps =>
    add(addConnectionSteps(steps), steps.sending, steps.waiting, steps.receiving),
  ),
  {
    tag: 'http_req_data_sent',
    unit: 'KB',
    compute: ({ record }) => record.traffic.requestBytes / BYTES_PER_KB,
  },
  {
    tag: 'http_req_data_received',
    unit: 'KB',
    compute: ({ record }) => record.traffic.responseBytes / BYTES_PER_KB,
  },
  // Request bodies are sent as a single chunk.
  {
    tag: 'http_req_chunks_sent',
    unit: 'count',
    compute: ({ record }) => (record.trace.sendEndNs === undefined ? undefined : 1),
  },
  { tag: 'http_req_chunks_received', unit: 'count', compute: ({ record }) => record.traffic.reads },
  {
    tag: 'http_req_connection_reused',
    unit: 'ratio',
    compute: ({ record }) => Number(record.connectionReused),
  },
];

/** Durations of the steps of an HTTP exchange, in ms; undefined for steps that did not happen. */
interface HttpSteps {
  readonly blocked: number | undefined;
  readonly dnsLookup: number;
  readonly connecting: number;
  readonly sending: number | undefined;
  readonly waiting: number | undefined;
  readonly receiving: number | undefined;
}

function createStepMetric(tag: string, compute: (steps: HttpSteps) => number | undefined): RecordMetric {
  return { tag, unit: 'ms', compute: ({ record }) => compute(measureSteps(record)) };
}

/** Computes the durations of the steps. On a reused connection, DNS lookup and connecting take 0 ms. */
function measureSteps({ trace }: RequestRecord): HttpSteps {
  return {
    blocked: measureMs(trace.startNs, trace.blockedEndNs),
    dnsLookup: measureMs(trace.lookupStartNs, trace.lookupEndNs) ?? 0,
    connecting: measureMs(trace.connectStartNs, trace.connectEndNs) ?? 0,
    sending: measureMs(trace.sendStartNs, trace.sendEndNs),
    // All bytes read in one turn of the event loop get the turn's timestamp, which may precede the end of sending.
    waiting: clampToZero(measureMs(trace.sendEndNs, trace.firstByteNs)),
    receiving: measureMs(trace.firstByteNs, trace.lastByteNs),
  };
}

function clampToZero(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.max(0, ms);
}

function addConnectionSteps({ blocked, dnsLookup, connecting }: HttpSteps): number | undefined {
  return add(blocked, dnsLookup, connecting);
}

function add(...durations: (number | undefined)[]): number | undefined {
  return durations.reduce(
    (sum, duration) => (sum === undefined || duration === undefined ? undefined : sum + duration),
    0,
  );
}
