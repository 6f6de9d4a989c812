import { expect, test } from 'vitest';
import { computeRatios, computeTaskFigures } from '../../src/parquet/figures.ts';

const write = { rows: 1000, seconds: 0.1, bytes: 2000, maxRssMb: 81.4 };

test('computes speed, size and memory of a task', () => {
  const figures = computeTaskFigures('write servelens', write);
  expect(figures.map(({ figure, value }) => [figure, value])).toEqual([
    ['rows_per_second', 10_000],
    ['file_bytes', 2000],
    ['bytes_per_row', 2],
    ['max_rss_mb', 81],
  ]);
  expect(figures[0]).toMatchObject({ task: 'write servelens', rows: 1000 });
});

test('compares the tasks of Servelens with peer tasks that have the same first word', () => {
  const read = { rows: 1000, seconds: 0.5, maxRssMb: 90 };
  const outcomes = new Map([
    ['write servelens', write],
    ['write DuckDB COPY', { rows: 1000, seconds: 0.25, bytes: 4000, maxRssMb: 300 }],
    ['read servelens', read],
    ['read hyparquet', { rows: 1000, seconds: 0.25, maxRssMb: 176 }],
    ['validate other', read],
  ]);
  expect(computeRatios(outcomes)).toEqual([
    { task: 'write DuckDB COPY', figure: 'servelens_speed_ratio', value: 2.5, rows: 1000 },
    { task: 'write DuckDB COPY', figure: 'servelens_size_ratio', value: 0.5, rows: 1000 },
    { task: 'read hyparquet', figure: 'servelens_speed_ratio', value: 0.5, rows: 1000 },
  ]);
});
