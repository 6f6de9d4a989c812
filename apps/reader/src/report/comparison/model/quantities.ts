import { findLine, type Line, type SideCourse } from './sideCourse.ts';

/** A quantity that is drawn over time for all benchmarks. */
export interface Quantity {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly column: 'client' | 'server';
  readonly help: string;
  /** The charts and the lines that show it: the client's first. */
  readonly sources: readonly (readonly [chart: string, line: string])[];
}

/** The quantities of a comparison, in the order of the page. */
export const QUANTITIES: readonly Quantity[] = [
  {
    id: 'requests',
    title: 'Requests completed per second',
    unit: '/s',
    column: 'client',
    help: 'The requests that were answered. With the same load, it differs only if requests pile up.',
    sources: [
      ['client-requests', 'completed'],
      ['server-requests', 'completed'],
    ],
  },
  ...(
    [
      ['ttft', 'Time to first token', 'How long users wait before they see anything.'],
      ['itl', 'Time between tokens', 'How fast text appears.'],
      ['latency', 'Latency of requests', 'From sending a request to its last token.'],
    ] as const
  ).map(
    ([id, title, help]): Quantity => ({
      id,
      title: `${title}, median, ms`,
      unit: 'ms',
      column: 'client',
      help,
      sources: [
        [`client-${id}`, 'p50'],
        [`server-${id}`, 'p50 estimate'],
      ],
    }),
  ),
  {
    id: 'running',
    title: 'Requests running',
    unit: '',
    column: 'server',
    help: 'The requests that the servers compute at the same time.',
    sources: [['server-queue', 'running']],
  },
  {
    id: 'waiting',
    title: 'Requests waiting',
    unit: '',
    column: 'server',
    help: 'The requests in the queues of the servers.',
    sources: [['server-queue', 'waiting']],
  },
  {
    id: 'kv-cache',
    title: 'KV cache, % used',
    unit: '%',
    column: 'server',
    help: 'The memory of running requests.',
    sources: [['server-kv-cache', 'used']],
  },
  {
    id: 'tokens',
    title: 'Tokens generated per second',
    unit: '/s',
    column: 'server',
    help: 'The output of the servers.',
    sources: [['server-tokens', 'generated']],
  },
];

/** The lines of a quantity: one list of runs for each benchmark. A run without the quantity has no line. */
export interface QuantityLines {
  readonly quantity: Quantity;
  readonly sides: readonly (readonly Line[])[];
  readonly metrics: readonly string[];
  /** Names of the benchmarks without it. */
  readonly missing: readonly string[];
}

/**
 * Finds the lines of a quantity, all from the same source: the first that the baseline and all others have, otherwise the
 * first that the baseline and another benchmark have. Returns undefined without such lines.
 */
export function findQuantityLines(
  quantity: Quantity,
  courses: readonly SideCourse[],
): QuantityLines | undefined {
  const candidates = quantity.sources.map(([chart, name]) => {
    const sides = courses.map(({ runs }) => runs.flatMap(run => findLine(run, chart, name) ?? []));
    const missing = courses.flatMap(({ side }, i) => (sides[i]!.length === 0 ? [side.name] : []));
    return {
      quantity,
      sides,
      missing,
      metrics: [...new Set(sides.flat().flatMap(({ metrics }) => metrics))],
    };
  });
  return (
    candidates.find(({ missing }) => missing.length === 0) ??
    candidates.find(({ sides }) => sides[0]!.length > 0 && sides.slice(1).some(({ length }) => length > 0)) ??
    candidates.find(({ sides }) => quantity.id === 'waiting' && sides.some(({ length }) => length > 0))
  );
}
