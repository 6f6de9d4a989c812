import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

// Runs the built program, because only the build bundles the simulator into the `simulate` command.
const simulate = (...args: string[]) => startServelens(['simulate', ...args], { cwd: makeTestFolder() });

test.each([
  [['--port', 'abc'], /invalid --port "abc": expected an integer from 0 to 65535/],
  [['--fault', 'foo'], /invalid fault kind "foo": expected one of status/],
  [['--fault', 'stall'], /invalid fault "stall": missing field "seconds"/],
])('rejects %j without a stack trace, and exits with 2', async (args, message) => {
  const { code, err } = await simulate(...args).ended;
  expect(err).toMatch(/^servelens: /);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});

test('reports that a port is in use', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const { code, err } = await simulate('--port', String(port)).ended;
  server.close();
  expect(err).toMatch(/^servelens: cannot listen on 127\.0\.0\.1:\d+: the port is in use/);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});
