import { round } from '../measure/numbers.ts';
import type { TaskMeasurement } from './tasks.ts';

/** The measurement of a task, with the peak memory of its process. */
export interface Outcome extends TaskMeasurement {
  readonly maxRssMb: number;
}

/** A figure of a task, as printed. */
export interface Figure {
  readonly task: string;
  readonly figure: string;
  readonly value: number;
  readonly rows: number;
}

/** Computes the figures of one task: speed, file size and memory. */
export function computeTaskFigures(task: string, { rows, seconds, bytes, maxRssMb }: Outcome): Figure[] {
  const figures: [string, number][] = [['rows_per_second', Math.round(rows / seconds)]];
  if (bytes !== undefined) figures.push(['file_bytes', bytes], ['bytes_per_row', round(bytes / rows, 3)]);
  figures.push(['max_rss_mb', Math.round(maxRssMb)]);
  return figures.map(([figure, value]) => ({ task, figure, value, rows }));
}

/**
 * Computes the ratios of speed and file size between Servelens and its peers. Keys of `outcomes` are task names such as
 * "write servelens" and "write DuckDB COPY". Tasks with the same first word are compared.
 */
export function computeRatios(outcomes: ReadonlyMap<string, Outcome>): Figure[] {
  const figures: Figure[] = [];
  for (const [task, peer] of outcomes) {
    const [operation] = task.split(' ', 1);
    const servelens = outcomes.get(`${operation} servelens`);
    if (!servelens || servelens === peer) continue;
    const { rows } = servelens;
    const speed = rows / servelens.seconds / (peer.rows / peer.seconds);
    figures.push({ task, figure: 'servelens_speed_ratio', value: round(speed, 2), rows });
    if (servelens.bytes === undefined || peer.bytes === undefined) continue;
    figures.push({
      task,
      figure: 'servelens_size_ratio',
      value: round(servelens.bytes / peer.bytes, 3),
      rows,
    });
  }
  return figures;
}
