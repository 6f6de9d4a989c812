import { expect, onTestFinished, test } from 'vitest';
import { findFreePort, startBodyServer } from '../../src/bodies/bodyServer.ts';

test('each path sends the bodies in turn, and repeats the last one', async () => {
  const server = await startBodyServer([Buffer.from('a 1\n'), Buffer.from('a 2\n')]);
  onTestFinished(() => server.close());
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text();
  expect([await read('/0'), await read('/0'), await read('/1'), await read('/0')]).toEqual([
    'a 1\n',
    'a 2\n',
    'a 1\n',
    'a 2\n',
  ]);
});

test('finds a port', async () => {
  expect(await findFreePort()).toBeGreaterThan(1023);
});
