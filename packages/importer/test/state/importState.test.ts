import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ImportPlan, ImportState } from '../../src/state/importState.ts';

const PLAN: ImportPlan = {
  requested: {
    url: 'http://localhost:9090',
    match: ['{job="vllm"}'],
    from: '1h',
    to: 'now',
    api: 'auto',
    piece_ms: 60_000,
    step_ms: 15_000,
  },
  from_ms: 0,
  to_ms: 3_600_000,
};

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'import-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a continued import has the API and the losses of all pieces, also of earlier processes', () => {
  const folder = makeFolder();
  const first = ImportState.open(folder, PLAN);
  first.recordPiece('remote-read', ['native histograms are not imported']);
  first.recordPiece('remote-read', ['native histograms are not imported']);
  const continued = ImportState.open(folder, { ...PLAN, to_ms: 7_200_000 });
  expect(continued.plan).toEqual({
    ...PLAN,
    used_api: 'remote-read',
    losses: ['native histograms are not imported'],
  });
  continued.recordPiece('remote-read', ['another']);
  expect(ImportState.open(folder, PLAN).plan.losses).toEqual([
    'native histograms are not imported',
    'another',
  ]);
});

test('a piece without losses records only the API', () => {
  const state = ImportState.open(makeFolder(), PLAN);
  state.recordPiece('query-range', []);
  expect(state.plan).toEqual({ ...PLAN, used_api: 'query-range' });
});
