import { expect, test } from 'vitest';
import { upgradeHealth, upgradeMark, upgradeSettling, upgradeSummary } from '../src/oldFields.ts';
import { type HealthRecord, type MarkRecord, type SettlingRecord, UNKNOWN_HEALTH } from '../src/runRecord.ts';
import { toSummary } from '../src/view/summary.ts';
import { createEndpointRecord, createRunRecord } from './support/runRecord.ts';

const OLD_WAIT = { edge: 'end', outcome: 'gave_up', seconds: 1, moving: ['c'] } as unknown as SettlingRecord;
const OLD_MARK = { kind: 'note', text: 'x', who: 'ci' } as unknown as MarkRecord;

test('renames old fields and keeps the order of fields', () => {
  const wait = { boundary: 'end', outcome: 'timed_out', seconds: 1, changing_metrics: ['c'] };
  expect(JSON.stringify(upgradeSettling(OLD_WAIT))).toBe(JSON.stringify(wait));
  expect(upgradeMark(OLD_MARK)).toEqual({ kind: 'note', text: 'x', sender: 'ci' });
  const health = { ...UNKNOWN_HEALTH, cost: { longest_interval_ms: 333 } } as unknown as HealthRecord;
  expect(upgradeHealth(health).cost).toEqual({ max_interval_ms: 333 });
});

test('keeps names that are inherited properties of objects', () => {
  const wait = { boundary: 'end', outcome: 'constructor', toString: 1 } as unknown as SettlingRecord;
  expect(upgradeSettling(wait)).toEqual({ boundary: 'end', outcome: 'constructor', toString: 1 });
});

test('renames the old fields of a summary, and keeps a current summary unchanged', () => {
  const current = toSummary(createRunRecord([createEndpointRecord('a', {}, [])], 0, 1));
  expect(upgradeSummary(current)).toEqual(current);
  expect(upgradeSummary({ ...current, marks: [OLD_MARK], settling: [OLD_WAIT] })).toMatchObject({
    marks: [{ sender: 'ci' }],
    settling: [{ boundary: 'end' }],
  });
});
