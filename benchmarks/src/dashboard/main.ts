/**
 * Measures the cost of the terminal dashboard, or of the page in a browser: pairs of runs of `servelens profile` against a
 * simulator, one with the display and one with `--ui none`, in alternating order, each in a pseudo-terminal of 100x30.
 *
 * Options: --display dashboard|web (dashboard), --pairs N (5), --seconds N (20), --rate N in requests per second (20).
 * Requires the program `script`.
 */
import { parseArgs } from 'node:util';
import { startServer } from '../loadgen/serverProcess.ts';
import { computeMedian, round } from '../measure/numbers.ts';
import { type Display, findScript, measureRun, type RunCost } from './terminalRun.ts';

const { values } = parseArgs({
  options: {
    display: { type: 'string', default: 'dashboard' },
    pairs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '20' },
  },
});

/** The measured values of a run, with the unit in the name. */
const FIGURES = [
  'cpu_share',
  'bytes_per_s',
  'ttft_p50_ms',
  'ttft_p99_ms',
  'itl_p50_ms',
  'itl_p99_ms',
] as const;

if (values.display !== 'dashboard' && values.display !== 'web')
  throw new Error(`unknown display ${JSON.stringify(values.display)}; expected dashboard or web`);
const DISPLAYS: readonly Display[] = [values.display, 'none'];

if (findScript()) await measure();
else console.error('skipped: the program script is not installed');

async function measure(): Promise<void> {
  const server = await startServer('simulatorServer.js', '1', '128');
  const costs: Record<Display, RunCost[]> = { dashboard: [], web: [], none: [] };
  try {
    for (let pair = 0; pair < Number(values.pairs); pair++)
      for (const display of pair % 2 === 0 ? DISPLAYS : [...DISPLAYS].reverse())
        costs[display].push(await measureRun(server.url, display, values.seconds, values.rate));
  } finally {
    server.stop();
  }
  for (const figure of FIGURES) printFigure(figure, costs);
}

/** Prints the medians of both displays, and the median and the range of the differences of the pairs. */
function printFigure(figure: (typeof FIGURES)[number], costs: Record<Display, readonly RunCost[]>): void {
  const [shown] = DISPLAYS;
  const differences = costs[shown!].map((cost, pair) => cost[figure] - costs.none[pair]![figure]);
  const median = (display: Display): number =>
    round(computeMedian(costs[display].map(cost => cost[figure])), 4);
  console.log(
    JSON.stringify({
      bench: 'dashboard',
      figure,
      pairs: differences.length,
      [shown!]: median(shown!),
      none: median('none'),
      difference: round(computeMedian(differences), 4),
      difference_min: round(Math.min(...differences), 4),
      difference_max: round(Math.max(...differences), 4),
    }),
  );
}
