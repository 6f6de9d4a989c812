import { expect, onTestFinished, test } from 'vitest';
import { findFreePort, startBodyServer } from '../../src/bodies/bodyServer.ts';

test('serves the bodies in order, separately for each path, and repeats the last body', async () => {
  const server = await startBodyServer([Buffer.from('a 1\n'), Buffer.from('a 2\n')]);
  onTestFinished(() => server.close());
  const fetchBody = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text();
  expect([
    await fetchBody('/0'),
    await fetchBody('/0'),
    await fetchBody('/1'),
    await fetchBody('/0'),
  ]).toEqual(['a 1\n', 'a 2\n', 'a 1\n', 'a 2\n']);
});

test('finds a free port', async () => {
  expect(await findFreePort()).toBeGreaterThan(1023);
});
