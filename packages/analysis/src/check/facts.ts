import { findFindings } from '../findings/findFindings.ts';
import type { FindingSeverity } from '../findings/rule.ts';
import { sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import type { Selector } from './expression.ts';
import { type Quantity, toQuantity, toUnitless, type Unknown } from './quantity.ts';

/** Reads a fact about a run. Returns undefined if the files of the run do not contain it. */
type FactReader = (run: Run) => Quantity | undefined;

/** Facts about a run that rules can use in addition to metrics, such as `endpoints.successful`. */
const FACTS: Readonly<Record<string, Readonly<Record<string, FactReader>>>> = {
  endpoints: {
    configured: run => toEndpointCount(run, run.view.summary?.endpoints_configured.length ?? 0),
    successful: run => toEndpointCount(run, run.view.summary?.endpoints_successful.length ?? 0),
    without_data: run =>
      toEndpointCount(run, run.endpoints.filter(({ state }) => state === 'without_data').length),
  },
  scrapes: {
    total: run => sumScrapes(run, 'total_fetches'),
    failed: run => sumScrapes(run, 'scrapes_failed'),
    late: run => sumScrapes(run, 'scrapes_late'),
  },
  run: {
    seconds: ({ times }) => toSeconds(times.seconds),
    profiling_seconds: ({ times }) => toSeconds(times.profilingSeconds),
    series: ({ seriesCount }) => toUnitless(seriesCount),
    interrupted: ({ wasCancelled }) =>
      wasCancelled === undefined ? undefined : toUnitless(Number(wasCancelled)),
  },
  findings: {
    problems: run => countFindings(run, 'problem'),
    warnings: run => countFindings(run, 'warning'),
  },
};

/** Reports whether a selector refers to a fact about the run. A metric of the same name takes precedence. */
export function isFact(run: Run, { name, matchers }: Selector): boolean {
  return Object.hasOwn(FACTS, name) && matchers.length === 0 && !run.families.has(name);
}

/** Reads the fact that a selector refers to. Call it only if `isFact` returns true. */
export function readFact({ name, stat, at }: Selector, run: Run): Quantity | Unknown {
  const facts = FACTS[name]!;
  if (stat === null || !Object.hasOwn(facts, stat))
    return { unknown: `unknown value of ${name}; expected one of ${Object.keys(facts).join(', ')}`, at };
  return facts[stat]!(run) ?? { unknown: `${name}.${stat} is not in the files of the run`, at };
}

/** Converts a number of endpoints to a quantity. Returns undefined if the file does not list endpoints, as in CSV. */
function toEndpointCount(run: Run, count: number): Quantity | undefined {
  return run.endpoints.length === 0 ? undefined : toUnitless(count);
}

function sumScrapes(
  run: Run,
  field: 'total_fetches' | 'scrapes_failed' | 'scrapes_late',
): Quantity | undefined {
  const values = run.endpoints.flatMap(({ info }) => info?.[field] ?? []);
  return values.length === 0 ? undefined : toUnitless(sum(values));
}

function toSeconds(seconds: number | undefined): Quantity | undefined {
  return seconds === undefined ? undefined : toQuantity(seconds, 'seconds');
}

function countFindings(run: Run, severity: FindingSeverity): Quantity {
  return toUnitless(findFindings(run).filter(finding => finding.severity === severity).length);
}
