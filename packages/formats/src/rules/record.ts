import type { Path } from '../json/path.ts';
import { checkBuckets } from './buckets.ts';
import type { Report } from './findings.ts';
import { checkSampleLabels } from './labels.ts';
import { checkTimestamp } from './time.ts';
import { asObject, getField, getNanoseconds, getNumber, getObject, getText, type Values } from './values.ts';

/** Checks the lines of one server metrics JSONL file, in file order. */
export class RecordRules {
  /** Timestamp of the previous record, by endpoint. */
  readonly #lastTimestampNs = new Map<string, bigint>();

  /** Checks one record. Must be called once for each line. */
  check(report: Report, record: Values): void {
    this.#checkOrder(report, record);
    checkTimes(report, record);
    const metrics = getObject(record, 'metrics') ?? {};
    for (const name of Object.keys(metrics)) checkSamples(report, name, getField(metrics, name));
  }

  #checkOrder(report: Report, record: Values): void {
    const url = getText(record, 'endpoint_url');
    const time = getNanoseconds(record, 'timestamp_ns');
    if (url === undefined || time === undefined) return;
    const last = this.#lastTimestampNs.get(url);
    if (last !== undefined && time < last)
      report(
        'record-order',
        ['timestamp_ns'],
        `is ${time}, before the previous record of ${url} (${last})`,
        time,
      );
    if (time === last)
      report('record-repeated', ['timestamp_ns'], `is ${time}, as in the previous record of ${url}`, time);
    this.#lastTimestampNs.set(url, time);
  }
}

function checkTimes(report: Report, record: Values): void {
  for (const key of ['timestamp_ns', 'request_sent_ns', 'first_byte_ns']) {
    const time = getNanoseconds(record, key);
    if (time !== undefined) checkTimestamp(report, [key], time);
  }
  const sent = getNanoseconds(record, 'request_sent_ns');
  const firstByte = getNanoseconds(record, 'first_byte_ns');
  if (sent !== undefined && firstByte !== undefined && firstByte < sent)
    report('record-times', ['first_byte_ns'], `is ${firstByte}, before request_sent_ns (${sent})`, firstByte);
  const latency = getNanoseconds(record, 'endpoint_latency_ns');
  if (latency !== undefined && latency < 0n)
    report('record-times', ['endpoint_latency_ns'], `is ${latency}; a latency must not be negative`, latency);
}

function checkSamples(report: Report, name: string, value: unknown): void {
  const path: Path = ['metrics', name];
  if (!Array.isArray(value)) return;
  const samples = value.map(item => asObject(item) ?? {});
  checkSampleLabels(report, path, samples);
  samples.forEach((sample, index) => {
    const buckets = getObject(sample, 'buckets');
    if (buckets) checkBuckets(report, [...path, index, 'buckets'], buckets, getNumber(sample, 'count'));
  });
  if (name.endsWith('_info') && samples.some(sample => 'value' in sample))
    report(
      'record-info',
      path,
      'is an _info family; such families never change and are omitted from this file',
    );
}
