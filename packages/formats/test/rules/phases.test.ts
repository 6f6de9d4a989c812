import { describe, expect, it } from 'vitest';
import { checkPhase, checkPhaseManifest } from '../../src/rules/phases.ts';
import { collectFindings } from '../support/report.ts';

const NS = 1_772_000_000_000_000_000n;
const createPhase = (change: object = {}) => ({
  phase_name: 'warmup',
  start_ns: NS,
  end_ns: NS + 1n,
  successful_request_count: 3,
  error_request_count: 2,
  total_request_count: 5,
  error_summary: [{ count: 1 }, { count: 1 }],
  ...change,
});

describe('checkPhaseManifest', () => {
  it('accepts phases with consistent times and counts', () => {
    const phases = [createPhase(), createPhase({ phase_name: 'profiling', start_ns: null, end_ns: null })];
    expect(collectFindings(report => checkPhaseManifest(report, { phases }))).toEqual([]);
  });

  it.each([
    [
      'a repeated phase',
      [createPhase(), createPhase()],
      'phase-repeated .phases[1].phase_name: is warmup, which is already in the list',
    ],
    [
      'an end before the start',
      [createPhase({ end_ns: NS - 1n })],
      `time-order .phases[0].end_ns: is ${NS - 1n}, before start_ns (${NS})`,
    ],
    [
      'a time in milliseconds',
      [createPhase({ end_ns: null, start_ns: 1_772_000_000_000 })],
      'timestamp-digits .phases[0].start_ns: is 1772000000000; a Unix time in nanoseconds has 19 digits; it looks like milliseconds',
    ],
    [
      'requests that do not add up',
      [createPhase({ total_request_count: 6 })],
      'phase-counts .phases[0].total_request_count: is 6, but there are 3 successful and 2 failed requests',
    ],
    [
      'errors that do not add up',
      [createPhase({ error_summary: [{ count: 1 }] })],
      'phase-counts .phases[0].error_summary: counts 1 errors, but error_request_count is 2',
    ],
  ])('reports %s', (_, phases, expected) => {
    expect(collectFindings(report => checkPhaseManifest(report, { phases }))).toEqual([expected]);
  });
});

describe('checkPhase', () => {
  it('reports data of another phase', () => {
    const document = { phase: createPhase(), data: { phase_name: 'profiling' } };
    expect(collectFindings(report => checkPhase(report, document))).toEqual([
      'phase-identity .data.phase_name: is profiling, but the phase is warmup',
    ]);
  });
});
