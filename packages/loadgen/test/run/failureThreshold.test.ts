import { describe, expect, test } from 'vitest';
import { createFailureThreshold, exceedsThreshold } from '../../src/run/failureThreshold.ts';
import { Ledger } from '../../src/run/ledger.ts';
import { runLoad } from '../support/load.ts';
import { formatHead, startRawServer, startTokenServer } from '../support/server.ts';
import { runWorkers } from '../support/workers.ts';

/** A response that fails, as bytes. */
const ERROR = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n';

describe('a failure threshold', () => {
  test.each([
    ['ratio 0.5 of 20 requests', { failedRequestThreshold: 0.5 }, { succeeded: 9, failed: 11 }, true],
    ['a ratio that is equal', { failedRequestThreshold: 0.5 }, { succeeded: 10, failed: 10 }, false],
    ['fewer than 10 requests', { failedRequestThreshold: 0 }, { succeeded: 0, failed: 9 }, false],
    ['10 requests', { failedRequestThreshold: 0 }, { succeeded: 9, failed: 1 }, true],
    [
      'fewer requests than the concurrency',
      { failedRequestThreshold: 0, concurrency: 30 },
      { succeeded: 0, failed: 29 },
      false,
    ],
    ['a ratio of 1', { failedRequestThreshold: 1 }, { succeeded: 0, failed: 99 }, false],
    [
      'cancelled requests, which are ignored',
      { failedRequestThreshold: 0.5 },
      { succeeded: 4, failed: 6, cancelled: 90 },
      true,
    ],
  ])('with %s: is exceeded: %s', (_, options, counts, expected) => {
    const ledger = new Ledger(2);
    for (const [name, count] of Object.entries(counts)) ledger.add(1, name as 'failed', count);
    expect(exceedsThreshold(createFailureThreshold(options)!, ledger)).toBe(expected);
  });

  test.each([-0.1, 1.1, Number.NaN])('%s is rejected', ratio => {
    expect(() => createFailureThreshold({ failedRequestThreshold: ratio })).toThrow(
      `failedRequestThreshold is ${ratio}; expected a number from 0 to 1`,
    );
  });
});

describe('a run with a failure threshold', () => {
  test('is aborted after 10 requests, and cancels the requests in flight', async () => {
    let requests = 0;
    const { url } = await startRawServer(socket => {
      requests += 1;
      // The first request stays in flight.
      if (requests > 1) socket.write(ERROR);
      else socket.write(formatHead());
    });
    const { summary, records } = await runLoad(url, {
      profiling: { concurrency: 2, requestCount: 1000, failedRequestThreshold: 0.5 },
    });
    expect(summary).toMatchObject({
      wasCancelled: true,
      phases: [{ sent: 11, succeeded: 0, failed: 10, cancelled: 1, stopReason: 'failed_requests' }],
    });
    expect(summary.warnings).toContainEqual({
      kind: 'failed_request_threshold',
      message: 'run aborted: 10 of 10 requests failed (1.000), more than --failed-request-threshold 0.5',
    });
    expect(records.filter(({ cancelled }) => cancelled)).toHaveLength(1);
  });

  test('is aborted in all threads', async () => {
    const { url } = await startRawServer(socket => socket.write(ERROR));
    const { summary } = await runWorkers(2, url, {
      profiling: { concurrency: 4, requestCount: 100_000, failedRequestThreshold: 0.1 },
    });
    const [phase] = summary.phases;
    expect(phase).toMatchObject({ succeeded: 0, stopReason: 'failed_requests' });
    expect(phase!.failed + phase!.cancelled).toBe(phase!.sent);
    expect(phase!.sent).toBeLessThan(1000);
    expect(summary.wasCancelled).toBe(true);
  });

  test('is completed if the ratio is not exceeded', async () => {
    const { url } = await startTokenServer();
    const { summary } = await runLoad(url, {
      profiling: { concurrency: 2, requestCount: 20, failedRequestThreshold: 0 },
    });
    expect(summary).toMatchObject({
      wasCancelled: false,
      phases: [{ succeeded: 20, stopReason: 'requests' }],
    });
  });
});
