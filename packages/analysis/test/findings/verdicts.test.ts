import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFindings, isFailureFinding } from '../../src/findings/findFindings.ts';
import { LOAD_RULES } from '../../src/findings/loadRules.ts';
import type { Finding } from '../../src/findings/rule.ts';
import { createMeasuredRun, type EngineLevels, MEASUREMENTS, type Measurements } from './randomRuns.ts';

const LOAD_IDS: ReadonlySet<string> = new Set(LOAD_RULES.map(({ id }) => id));
/** Verdicts that the servers could do more. */
const ROOM_IDS: ReadonlySet<string> = new Set(['client-bottleneck', 'spare-capacity']);

/** The direction of a recommendation on the load. */
const DIRECTIONS: Readonly<Record<string, RegExp>> = {
  increase: /increase (?:concurrency|the load)/i,
  reduce: /reduce (?:the )?(?:concurrency|request rate)|fewer or shorter requests/i,
  distribute: /load balancer or router/i,
};

function listDirections(findings: readonly Finding[]): string[] {
  const advice = findings.map(({ advice }) => advice).join('\n');
  return Object.keys(DIRECTIONS).filter(name => DIRECTIONS[name]!.test(advice));
}

const isLoadVerdict = ({ id }: Finding): boolean => LOAD_IDS.has(id);

/** Returns the availability of the engines that the run has. */
const listAvailability = ({ engines, availability }: Measurements): readonly string[] =>
  availability.slice(0, engines.length);

/** Rules that hold for the findings of every run. */
const RULES: Readonly<Record<string, (findings: readonly Finding[], run: Measurements) => void>> = {
  'one verdict on the load, and one direction of advice': findings => {
    expect(findings.filter(isLoadVerdict).length).toBeLessThanOrEqual(1);
    expect(listDirections(findings).length).toBeLessThanOrEqual(1);
  },
  'no verdict on the load if a server died or restarted': (findings, run) => {
    if (!listAvailability(run).some(state => state === 'dead' || state === 'restarted')) return;
    expect(findings.filter(isLoadVerdict)).toEqual([]);
    expect(listDirections(findings)).toEqual([]);
  },
  'a dead server first, then a restarted one': (findings, run) => {
    const states = listAvailability(run);
    const expected = [
      ...(states.includes('dead') ? ['dead-server'] : []),
      ...(states.includes('restarted') ? ['restarted-server'] : []),
    ];
    expect(findings.slice(0, expected.length).map(({ id }) => id)).toEqual(expected);
  },
  'failures before everything else': findings => {
    const firstOther = findings.findIndex(finding => !isFailureFinding(finding));
    const lastFailure = findings.findLastIndex(isFailureFinding);
    if (firstOther >= 0) expect(lastFailure).toBeLessThan(firstOther);
  },
  'no room on servers whose requests failed': (findings, { client, engines }) => {
    const { succeeded = 0, failed = 0, cancelled = 0 } = client ?? {};
    const hasFailures =
      failed > 0.05 * (succeeded + failed + cancelled) ||
      engines.some(({ errors, aborted, outputTokens }) => errors > 0.05 * (errors + aborted + outputTokens));
    if (hasFailures) expect(findings.filter(({ id }) => ROOM_IDS.has(id))).toEqual([]);
  },
  'no room on servers that stalled': (findings, { client }) => {
    if (client && client.stallSeconds > 0)
      expect(findings.filter(({ id }) => id === 'spare-capacity')).toEqual([]);
  },
  'no idle server with output': (findings, { engines }) => {
    if (engines.some(({ outputTokens }) => outputTokens > 0))
      expect(findings.filter(({ id }) => id === 'idle-server')).toEqual([]);
  },
  'complete texts': findings => {
    for (const { title, advice, evidence } of findings) {
      expect(evidence.length).toBeGreaterThan(0);
      for (const text of [title, advice, ...evidence.map(entry => entry.text)])
        expect(text).not.toMatch(/undefined|NaN|Infinity|^$/);
      expect(advice).toMatch(/[.]$/);
      for (const value of evidence.flatMap(({ numbers }) => Object.values(numbers)))
        expect(value).toSatisfy(Number.isFinite);
    }
  },
};

test.each(Object.entries(RULES))('findings of random runs have %s', (_, check) => {
  fc.assert(
    fc.property(MEASUREMENTS, run => check(findFindings(createMeasuredRun(run)), run)),
    { numRuns: 300 },
  );
});

test('random runs cause most findings', () => {
  const reported = new Set<string>();
  for (const run of fc.sample(MEASUREMENTS, { numRuns: 1000, seed: 1 }))
    for (const { id } of findFindings(createMeasuredRun(run))) reported.add(id);
  expect([...reported].filter(id => LOAD_IDS.has(id)).length).toBeGreaterThanOrEqual(6);
  expect([...reported].filter(id => isFailureFinding({ id }))).toHaveLength(7);
});

test('a rule that is omitted makes no room for another verdict', () => {
  const engine: EngineLevels = {
    ...{ running: 60, runningMax: 64, waiting: 30, kv: 0.95, preemptions: 9, outputTokens: 9 },
    ...{ aborted: 0, errors: 0, httpErrors: 0, slices: [] },
  };
  const run = createMeasuredRun({
    engines: [engine],
    availability: ['healthy'],
    frontend: undefined,
    client: undefined,
  });
  const listIds = (without: string[]): string[] =>
    findFindings(run, { without })
      .filter(isLoadVerdict)
      .map(({ id }) => id);
  expect(listIds([])).toEqual(['full-kv-cache']);
  expect(listIds(['full-kv-cache'])).toEqual([]);
});
