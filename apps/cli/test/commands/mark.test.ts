import { join } from 'node:path';
import { MarkListener, type MarkRequest, type MarkResponse } from '@org/run/marks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

let folder = '';
let listener: MarkListener;
let requests: MarkRequest[];
let response: MarkResponse;

beforeEach(async () => {
  folder = makeTestFolder();
  requests = [];
  response = { ok: true, time_ns: '1', message: 'noted at noon' };
  listener = await MarkListener.open(folder, async request => {
    requests.push(request);
    return response;
  });
});
afterEach(() => listener.close());

async function mark(args: readonly string[], socket = ''): ReturnType<typeof runServelens> {
  return runServelens(['mark', ...args], { cwd: folder, env: { SERVELENS_SOCKET: socket } });
}

test.each<[string[], Partial<MarkRequest>]>([
  [['profiling-start'], { mark: 'profiling-start', text: 'profiling-start' }],
  [['profiling-end'], { mark: 'profiling-end', text: 'profiling-end' }],
  [['half', 'way'], { mark: 'note', text: 'half way' }],
  [['half way'], { mark: 'note', text: 'half way' }],
  [['😀'.repeat(1000), '--sender', '😀'.repeat(100)], { text: '😀'.repeat(1000), sender: '😀'.repeat(100) }],
  [['1e3', 'requests'], { mark: 'note', text: '1e3 requests' }],
  [['--', '--rate', '5'], { mark: 'note', text: '--rate 5' }],
  [['profiling goes well'], { mark: 'note', text: 'profiling goes well' }],
  [['x', '--sender', 'loadgen 7'], { mark: 'note', text: 'x', sender: 'loadgen 7' }],
])('sends %j', async (words, request) => {
  expect(await mark(words, listener.path)).toEqual({
    code: 0,
    out: 'noted at noon\n',
    err: '',
  });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject(request);
  expect(requests[0]!.sender).not.toBe('');
});

test.each([
  ['--folder', '.'],
  ['--artifact-dir', '.'],
  ['--socket', 'servelens.sock'],
])('finds a run by %s', async (option, value) => {
  expect((await mark(['x', option, value])).code).toBe(0);
  expect(requests).toHaveLength(1);
});

test('exits with 1 if the run rejects the mark', async () => {
  response = { ok: false, error: 'profiling has ended already' };
  expect(await mark(['profiling-end', '--folder', '.'])).toEqual({
    code: 1,
    out: '',
    err: 'servelens: profiling has ended already\n',
  });
});

test('exits with 3 if none of --folder, --socket and SERVELENS_SOCKET is set', async () => {
  const { code, err } = await mark(['x']);
  expect(code).toBe(3);
  expect(err).toContain('no run to mark: SERVELENS_SOCKET is set only for commands');
});

test('exits with 3 if there is no active run', async () => {
  const { code, err } = await mark(['x'], join(folder, 'none.sock'));
  expect(code).toBe(3);
  expect(err).toContain('none.sock: the socket does not exist');
});

test.each<[string[], string]>([
  [[], 'missing mark; expected profiling-start'],
  [[' '], 'missing mark; expected profiling-start'],
  [['profiling-begin'], 'invalid mark "profiling-begin": expected profiling-start, profiling-end or a note'],
  [['Profiling-Start'], 'invalid mark "Profiling-Start"'],
  [['x'.repeat(1001)], 'the note has 1001 characters; expected at most 1000'],
  [['😀'.repeat(1001)], 'the note has 1001 characters; expected at most 1000'],
  [['x', '--sender', 'x'.repeat(101)], '--sender has 101 characters; expected at most 100'],
  [['x', '--sender', ''], 'invalid --sender "": expected a name'],
  [['x', '--timeout', 'soon'], 'invalid --timeout "soon": expected a number of seconds'],
  [['x', '--folder', 'a', '--socket', 'b'], 'cannot use both --folder and --socket'],
  [['x', '--folder', 'nowhere'], 'cannot read folder "nowhere"'],
  [['x', '--unknown'], 'unknown option --unknown'],
])('rejects %j and exits with 2', async (args, message) => {
  const { code, err } = await mark(args);
  expect(err).toContain(message);
  expect(code).toBe(2);
  expect(requests).toEqual([]);
});

test('--json prints the time of the mark, and --quiet prints nothing', async () => {
  const { code, out } = await mark(['profiling-start', '--json'], listener.path);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ mark: 'profiling-start', time_ns: '1', message: 'noted at noon' });
  expect(await mark(['x', '--quiet'], listener.path)).toEqual({ code: 0, out: '', err: '' });
});
