import { parseMetricsTarget, type Target, type TargetSource } from '@org/scrape';
import { expect, test } from 'vitest';
import { type FirstListPolicy, FirstListSource } from '../../src/sources/firstListSource.ts';
import { SourceError } from '../../src/sources/sourceError.ts';
import { SourceReader } from './sourceReader.ts';

const POD = parseMetricsTarget('10.0.0.1:8000');
const SERVER = parseMetricsTarget('service:8000');

const STRICT: FirstListPolicy = { waitMs: 0, isOptional: false, fallback: [], isTolerant: false };

/** A source that yields the given lists, then waits. An error is thrown. */
function createSource(...lists: (readonly Target[] | SourceError)[]): TargetSource {
  return {
    name: 'test',
    async *watch(signal) {
      for (const list of lists) {
        if (list instanceof SourceError) throw list;
        yield list;
      }
      await new Promise(resolve => signal.addEventListener('abort', resolve));
    },
  };
}

function read(policy: Partial<FirstListPolicy>, ...lists: (readonly Target[] | SourceError)[]): SourceReader {
  return new SourceReader(new FirstListSource(createSource(...lists), { ...STRICT, ...policy }));
}

test('passes lists on', async () => {
  const reader = read({}, [POD]);
  expect(await reader.next()).toEqual([POD]);
  expect(await reader.end()).toBe(true);
});

test('fails if the source has no endpoints', async () => {
  await expect(read({}, []).next()).rejects.toThrow(
    'found no endpoints; check the settings of the source, wait longer with --discovery-wait, or start without endpoints with --discovery-optional',
  );
});

test('waits for the first endpoint', async () => {
  expect(await read({ waitMs: 60_000 }, [], [], [POD]).next()).toEqual([POD]);
});

test('fails if there is no endpoint in time', async () => {
  await expect(read({ waitMs: 20 }, []).next()).rejects.toThrow('found no endpoints within 20 ms');
});

test('an optional source starts without endpoints', async () => {
  const reader = read({ isOptional: true }, []);
  expect(await reader.next()).toEqual([]);
  expect(reader.problems).toEqual(['found no endpoints; the run starts without them']);
});

test('the fallback is scraped until endpoints are found, and not afterwards', async () => {
  const pushes: ((targets: readonly Target[]) => void)[] = [];
  const receive = (): Promise<readonly Target[]> => new Promise(resolve => pushes.push(resolve));
  const source: TargetSource = {
    name: 'test',
    async *watch() {
      yield [];
      yield await receive();
      yield await receive();
    },
  };
  const reader = new SourceReader(new FirstListSource(source, { ...STRICT, fallback: [SERVER] }));
  expect(await reader.next()).toEqual([SERVER]);
  expect(reader.problems).toEqual([
    'found no endpoints; scraping http://service:8000/metrics until they are found',
  ]);
  await expect.poll(() => pushes.length).toBe(1);
  pushes[0]!([POD]);
  expect(await reader.next()).toEqual([POD]);
  await expect.poll(() => pushes.length).toBe(2);
  pushes[1]!([]);
  expect(await reader.next()).toEqual([]);
});

test('a failure of the first list is an error, unless it is tolerated', async () => {
  const error = new SourceError('cannot list pods');
  await expect(read({}, error).next()).rejects.toThrow(error);
  const reader = read({ isTolerant: true, fallback: [SERVER] }, error);
  expect(await reader.next()).toEqual([SERVER]);
  expect(reader.problems).toEqual([
    'cannot list pods; scraping http://service:8000/metrics until they are found',
  ]);
});
