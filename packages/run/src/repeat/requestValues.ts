import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The fields of a line of profile_export.jsonl that a metric is read from. */
interface RequestLine {
  readonly metadata?: { readonly benchmark_phase?: unknown };
  readonly metrics?: Readonly<Record<string, { readonly value?: unknown } | undefined>>;
}

/** Reads a metric of all requests except for the warm-up from profile_export.jsonl; empty if there is no such file. */
export async function readRequestValues(path: string, metric: string): Promise<number[]> {
  const values: number[] = [];
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) {
      const value = line.includes(`"${metric}"`) ? readValue(line, metric) : undefined;
      if (value !== undefined) values.push(value);
    }
  } catch {
    return [];
  }
  return values;
}

function readValue(line: string, metric: string): number | undefined {
  const { metadata, metrics } = JSON.parse(line) as RequestLine;
  const value = Object.hasOwn(metrics ?? {}, metric) ? metrics?.[metric]?.value : undefined;
  return metadata?.benchmark_phase !== 'warmup' && typeof value === 'number' ? value : undefined;
}
