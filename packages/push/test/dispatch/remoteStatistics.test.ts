import { expect, test } from 'vitest';
import { toMessage } from '../../src/dispatch/messages.ts';
import { KEPT_PARTS, RemoteStatistics } from '../../src/dispatch/remoteStatistics.ts';
import { createBatch, RUN } from '../support/batches.ts';

function createRemote() {
  const requested: number[] = [];
  let releases = 0;
  const statistics = new RemoteStatistics(
    { run: RUN, timeMs: 5, points: 10 },
    {
      requestPart: part => requested.push(part),
      release: () => {
        releases += 1;
      },
    },
  );
  return { statistics, requested, countReleases: () => releases };
}

test('requests a part once for all receivers', async () => {
  const { statistics, requested } = createRemote();
  const reads = [statistics.readPart(0), statistics.readPart(0)];
  statistics.receivePart(0, { batch: toMessage(createBatch(3)) });
  expect(await Promise.all(reads)).toEqual([createBatch(3), createBatch(3)]);
  expect(await statistics.readPart(0)).toBe(await reads[0]);
  expect(requested).toEqual([0]);
});

test('requests a part again that was not kept', async () => {
  const { statistics, requested } = createRemote();
  for (let part = 0; part <= KEPT_PARTS; part++) {
    void statistics.readPart(part);
    statistics.receivePart(part, {});
  }
  void statistics.readPart(1);
  void statistics.readPart(0);
  expect(requested.slice(KEPT_PARTS + 1)).toEqual([0]);
});

test('passes the end, an error, and the release', async () => {
  const { statistics, countReleases } = createRemote();
  const [end, failed] = [statistics.readPart(0), statistics.readPart(1)];
  statistics.receivePart(0, {});
  statistics.receivePart(1, { error: 'damaged' });
  expect(await end).toBeUndefined();
  await expect(failed).rejects.toThrow('damaged');
  statistics.release();
  expect(countReleases()).toBe(1);
});
