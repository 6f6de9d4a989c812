import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import { createFailure, type FailureType } from '../../src/failure.ts';
import { ConnectionBackOff } from '../../src/run/connectionBackOff.ts';
import { clock, runLoad } from '../support/load.ts';
import { startRawServer, startTokenServer } from '../support/server.ts';

const A = 'http://a:1';
const B = 'http://b:1';

const createRequest = (origin: string, type?: FailureType, status?: number) => ({
  origin,
  outcome: type === undefined ? ('succeeded' as const) : ('failed' as const),
  exchange: { status },
  response: { failure: type && createFailure(type, '') },
});
const REFUSED = createRequest(A, 'ConnectionRefused');

describe('the wait before the next attempt', () => {
  test.each([
    [
      'doubles up to 1 s after connection failures in a row',
      Array(11).fill(REFUSED),
      [0, 0, 10, 20, 40, 80, 160, 320, 640, 1000, 1000],
    ],
    [
      'restarts after a response, even if it is an error',
      [REFUSED, REFUSED, REFUSED, createRequest(A, 'HttpError', 503), REFUSED, REFUSED, REFUSED],
      [0, 0, 10, 0, 0, 0, 10],
    ],
    [
      'is separate for each server',
      [
        REFUSED,
        REFUSED,
        createRequest(B, undefined, 200),
        REFUSED,
        createRequest(B, 'ConnectionReset'),
        REFUSED,
      ],
      [0, 0, 0, 10, 0, 20],
    ],
    ['does not follow timeouts', Array(4).fill(createRequest(A, 'RequestTimeout')), [0, 0, 0, 0]],
    [
      'does not follow streams that break',
      Array(4).fill(createRequest(A, 'ConnectionReset', 200)),
      [0, 0, 0, 0],
    ],
  ])('%s', (_, requests, expected) => {
    const backOff = new ConnectionBackOff(new RunClock(clock));
    expect(requests.map(request => backOff.add(request))).toEqual(expected);
  });

  test('is counted, and ends early without its callback when it is cleared', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let nowMs = 0;
    const backOff = new ConnectionBackOff(new RunClock({ nowNs: () => 0n, monotonicMs: () => nowMs }));
    const ended: string[] = [];
    backOff.wait(10, () => ended.push('first'));
    backOff.wait(1000, () => ended.push('second'));
    nowMs = 10;
    vi.advanceTimersByTime(10);
    expect([backOff.waiting, ended]).toEqual([1, ['first']]);
    nowMs = 30;
    backOff.clear();
    vi.advanceTimersByTime(5000);
    expect([backOff.waiting, backOff.count, backOff.totalNs, ended]).toEqual([0, 2, 40e6, ['first']]);
  });
});

/** Returns the URL of a server that refuses connections. */
async function findClosedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('a server that is down', () => {
  test('gets few attempts in closed loop, which are counted', async () => {
    const { summary } = await runLoad(await findClosedPort(), {
      profiling: { concurrency: 2, durationS: 0.4 },
    });
    const [phase] = summary.phases;
    // Without waits, thousands of attempts fail in this time.
    expect(phase!.sent).toBeLessThan(20);
    expect(phase!.connectionWaits).toBeGreaterThan(0);
    expect(phase).toMatchObject({ succeeded: 0, cancelled: 0, failed: phase!.sent, stopReason: 'duration' });
    expect(summary.warnings.map(({ kind }) => kind)).toContain('connection_waits');
  });

  test('gets the attempts of an open loop on schedule', async () => {
    const { summary } = await runLoad(await findClosedPort(), {
      profiling: { rate: 500, pattern: 'constant', requestCount: 100 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 100, failed: 100, connectionWaits: 0 });
  });

  test('does not delay the end of the phase after the last session', async () => {
    const { summary } = await runLoad(await findClosedPort(), {
      profiling: { concurrency: 4, sessionCount: 5 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 5, failed: 5, stopReason: 'sessions' });
  });

  test('does not delay requests to a server that responds', async () => {
    const [{ url }, resetting] = await Promise.all([
      startTokenServer(),
      startRawServer(socket => socket.resetAndDestroy()),
    ]);
    const { summary, records } = await runLoad(url, {
      target: { urls: [url, resetting.url] },
      profiling: { concurrency: 2, durationS: 0.5 },
    });
    const [phase] = summary.phases;
    const succeeded = records.filter(({ failure }) => !failure);
    expect(succeeded.every(record => record.url === url)).toBe(true);
    expect(phase!.succeeded).toBe(succeeded.length);
    expect(phase!.succeeded).toBeGreaterThan(2);
  });
});
