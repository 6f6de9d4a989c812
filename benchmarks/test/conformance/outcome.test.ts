import { expect, test } from 'vitest';
import type { Case } from '../../src/conformance/case.ts';
import { describeDifference, parseCaseText } from '../../src/conformance/outcome.ts';

const text = '# TYPE a gauge\na{b="c"} NaN\n';
const families = [
  { name: 'a', type: 'gauge', help: '', samples: [{ name: 'a', labels: { b: 'c' }, value: 'NaN' }] },
];
const accepted: Case = { id: 'accepted', text, should_parse: true, families, agreed: true };

test('returns the parsed families in the format of the verdict', () => {
  expect(parseCaseText(accepted)).toMatchObject({ should_parse: true, families });
  expect(describeDifference(parseCaseText(accepted), accepted)).toBeUndefined();
});

test('reports the reason for a rejection', () => {
  const outcome = parseCaseText({ ...accepted, text: 'a{ 1\n' });
  expect(outcome.should_parse).toBe(false);
  expect(describeDifference(outcome, accepted)).toMatch(/^rejected; expected acceptance: ./);
  expect(describeDifference(outcome, { should_parse: false })).toBeUndefined();
});

test.each([
  [{ should_parse: false }, /^accepted; expected a rejection$/],
  [{ should_parse: true, families: [] }, /^family 0 is .*, expected missing$/],
  [{ should_parse: true, families: [{ ...families[0]!, type: 'counter' }] }, /"gauge".*expected .*"counter"/],
  [{ should_parse: true, families: [...families, families[0]!] }, /^family 1 is missing, expected /],
])('describes the difference from the verdict %j', (verdict, message) => {
  expect(describeDifference(parseCaseText(accepted), verdict)).toMatch(message);
});
