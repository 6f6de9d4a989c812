import { expect, test } from 'vitest';
import { createExport } from '../../../record/test/support/profileExports.ts';
import { describeFailedRun, findAbortReason } from '../../src/profile/failedRun.ts';

test.each([
  [{ succeeded: 0, failed: 0, cancelled: 0 }, 'no request was sent'],
  [{ succeeded: 0, failed: 1, cancelled: 0 }, 'the only request failed'],
  [{ succeeded: 0, failed: 3, cancelled: 0 }, 'all 3 requests failed'],
  [{ succeeded: 0, failed: 0, cancelled: 4 }, 'no request succeeded: 4 requests cancelled'],
  [{ succeeded: 0, failed: 3, cancelled: 4 }, 'no request succeeded: 3 failed, 4 cancelled'],
  [{ succeeded: 67, failed: 408, cancelled: 0 }, '408 of 475 requests failed (85.9%), more than half'],
  [{ succeeded: 9, failed: 10, cancelled: 500 }, '10 of 19 requests failed (52.6%), more than half'],
  [{ succeeded: 10, failed: 10, cancelled: 0 }, undefined],
  [{ succeeded: 1, failed: 0, cancelled: 99 }, undefined],
])('describes a run with the requests %j as %j', (counts, description) => {
  expect(describeFailedRun(counts)).toBe(description);
});

test.each([
  ['failed_request_threshold', 'run aborted'],
  ['worker_lost', 'run aborted'],
  ['send_delay', undefined],
])('finds the reason of an abort in the warnings: %s', (kind, expected) => {
  const warnings = [{ kind, message: 'run aborted' }];
  const document = createExport([1], 1, { load_generator: { tokenizer: 'server', warnings } });
  expect(findAbortReason(document)).toBe(expected);
});
