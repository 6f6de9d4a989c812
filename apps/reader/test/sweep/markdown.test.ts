import { expect, test } from 'vitest';
import { renderRunSetMarkdown } from '../../src/sweep/markdown.ts';
import { AGGREGATE, AIPERF_SWEEP } from '../support/sweepDocuments.ts';

test('renders a row per variation', () => {
  const text = renderRunSetMarkdown({ name: 'a*b', kind: 'sweep', sweep: AIPERF_SWEEP });
  expect(text).toMatch(/^## a\\\*b\n\n\| {2}\| variation \| runs \| failed \| req\/s \|/);
  expect(text).toContain('| ● | concurrency\\_4 |  |  | 8.125 ±1.588 | 490 ms ±127.1 ms |');
});

test('renders a row per metric of repeated runs', () => {
  const text = renderRunSetMarkdown({ name: 'r', kind: 'repeated', aggregate: AGGREGATE });
  expect(text).toContain('\n3 of 4 runs\n');
  expect(text).toContain('| metric | mean | ± | ± % | min | max |');
  expect(text).toContain('| Request Latency avg | 125.3 ms | 12.74 ms | 10.2% |');
});
