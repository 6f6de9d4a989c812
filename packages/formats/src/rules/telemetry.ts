import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkDistribution } from './gauge.ts';
import { checkAverage } from './histogram.ts';
import { checkTimes, checkTimestamp } from './time.ts';
import { getNanoseconds, getObject, getText, listObjects, type Values } from './values.ts';

/** Checks the times of GPU telemetry, and the statistics of every GPU. */
export function checkTelemetry(report: Report, path: Path, telemetry: Values): void {
  checkTimes(report, [...path, 'summary'], getObject(telemetry, 'summary') ?? {});
  const endpoints = listObjects(getObject(telemetry, 'endpoints'), [...path, 'endpoints']);
  for (const [, endpoint, endpointPath] of endpoints)
    for (const [, gpu, gpuPath] of listObjects(getObject(endpoint, 'gpus'), [...endpointPath, 'gpus']))
      for (const [, block, blockPath] of listObjects(getObject(gpu, 'metrics'), [...gpuPath, 'metrics'])) {
        checkDistribution(report, blockPath, block);
        checkAverage(report, blockPath, block, 'avg', 'sum', 'count');
      }
}

/** Checks the lines of one GPU telemetry file, in file order. */
export class TelemetryOrder {
  /** Time of the previous sample, by GPU. */
  readonly #lastNs = new Map<string, bigint>();

  /** Checks one sample. Must be called once for each line. */
  check(report: Report, record: Values): void {
    const timeNs = getNanoseconds(record, 'timestamp_ns');
    const gpu = getText(record, 'gpu_uuid');
    if (timeNs === undefined) return;
    checkTimestamp(report, ['timestamp_ns'], timeNs);
    if (gpu === undefined) return;
    const lastNs = this.#lastNs.get(gpu);
    if (lastNs !== undefined && timeNs < lastNs)
      report(
        'record-order',
        ['timestamp_ns'],
        `is ${timeNs}, before the previous sample of ${gpu} (${lastNs})`,
        timeNs,
      );
    this.#lastNs.set(gpu, timeNs);
  }
}
