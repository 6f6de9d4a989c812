import { resolve } from 'node:path';
import { describeSystemError, formatCount } from '@org/core';
import { isExporterMetric } from '@org/gpu';
import { readTextFile } from '@org/scrape';
import { UsageError } from '@org/terminal';
import { type RawOptions, readList } from '@org/terminal/program';

/** Maximum number of metrics in the note about a file. */
const MAX_LISTED = 3;

/**
 * Returns the options without the CSV files of --gpu-telemetry, which name metrics that AIPerf records in addition to its
 * usual ones. Throws `UsageError` if a file cannot be read.
 */
export function dropGpuMetricFiles(raw: RawOptions, cwd: string): RawOptions {
  const files = listFiles(raw);
  if (files.length === 0) return raw;
  for (const file of files) readMetrics(file, cwd);
  return { ...raw, 'gpu-telemetry': readList(raw, 'gpu-telemetry').filter(item => !isFile(item)) };
}

/** Describes the metrics in the CSV files of --gpu-telemetry that are not recorded, one message per file. */
export function describeGpuMetricFiles(raw: RawOptions, cwd: string): string[] {
  return listFiles(raw).flatMap(file => {
    const others = readMetrics(file, cwd).filter(name => !isExporterMetric(name));
    if (others.length === 0) return [];
    const listed = others.slice(0, MAX_LISTED).join(', ');
    const rest = others.length - MAX_LISTED;
    const more = rest > 0 ? ` and ${formatCount(rest, 'more metric')}` : '';
    return `--gpu-telemetry ${file}: ${listed}${more} will not be recorded; to record all metrics of an exporter, also set it with --server-metrics`;
  });
}

function listFiles(raw: RawOptions): string[] {
  return readList(raw, 'gpu-telemetry').filter(isFile);
}

function isFile(item: string): boolean {
  return item.endsWith('.csv') && !/^https?:/i.test(item);
}

/** Reads the names in the first column of a file in the format of dcgm-exporter. */
function readMetrics(file: string, cwd: string): string[] {
  let text: string;
  try {
    text = readTextFile(resolve(cwd, file));
  } catch (error) {
    throw new UsageError(
      `cannot read --gpu-telemetry ${JSON.stringify(file)}: ${describeSystemError(error)}`,
    );
  }
  const names = text.split('\n').map(line => line.split(',')[0]!.trim());
  return names.filter(name => name.startsWith('DCGM_FI_'));
}
