import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarkRequest, MarkResponse } from '@org/run/marks';
import { MarkListener } from '@org/run/marks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';

let folder = '';
let listener: MarkListener;
const requests: MarkRequest[] = [];
let answer: MarkResponse | Promise<MarkResponse>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mark-'));
  requests.length = 0;
  answer = { ok: true, time_ns: '1', message: 'noted at noon' };
  listener = await MarkListener.open(folder, async request => {
    requests.push(request);
    return answer;
  });
});
afterEach(async () => {
  await listener.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const io = testIo(folder, { SERVELENS_SOCKET: '', ...env });
  const code = await main(['mark', ...args], io);
  return { code, out: io.out.join(''), err: io.err.join('') };
}

test.each<[string[], Partial<MarkRequest>]>([
  [['profiling-start'], { mark: 'profiling-start', text: 'profiling-start' }],
  [['profiling-end'], { mark: 'profiling-end', text: 'profiling-end' }],
  [['half', 'way'], { mark: 'note', text: 'half way' }],
  [['half way'], { mark: 'note', text: 'half way' }],
  [['😀'.repeat(1000), '--who', '😀'.repeat(100)], { text: '😀'.repeat(1000), who: '😀'.repeat(100) }],
  [['1e3', 'requests'], { mark: 'note', text: '1e3 requests' }],
  [['--', '--rate', '5'], { mark: 'note', text: '--rate 5' }],
  [['profiling goes well'], { mark: 'note', text: 'profiling goes well' }],
  [['x', '--who', 'loadgen 7'], { mark: 'note', text: 'x', who: 'loadgen 7' }],
])('sends %j', async (words, request) => {
  expect(await run(words, { SERVELENS_SOCKET: listener.path })).toEqual({
    code: 0,
    out: 'noted at noon\n',
    err: '',
  });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject(request);
  expect(requests[0]!.who).not.toBe('');
});

test.each([
  ['folder', () => ['--folder', '.']],
  ['socket', () => ['--socket', 'servelens.sock']],
])('finds a run by its %s', async (_name, options) => {
  expect((await run(['x', ...options()])).code).toBe(0);
  expect(requests).toHaveLength(1);
});

test('exits with 1 if the run rejects the mark', async () => {
  answer = { ok: false, error: 'profiling has ended already' };
  const { code, out, err } = await run(['profiling-end', '--folder', '.']);
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: 'servelens mark: profiling has ended already\n',
  });
});

test('exits with 3 if there is no active run', async () => {
  const unset = await run(['x']);
  expect(unset).toMatchObject({ code: 3 });
  expect(unset.err).toContain('no run to mark: SERVELENS_SOCKET is set only for commands');
  const gone = await run(['x'], { SERVELENS_SOCKET: join(folder, 'none.sock') });
  expect(gone).toMatchObject({ code: 3 });
  expect(gone.err).toContain('none.sock: the socket does not exist');
  await listener.close();
  const ended = await run(['x', '--folder', '.']);
  expect(ended).toMatchObject({ code: 3 });
  expect(ended.err).toContain('no active run in .; the run has ended');
  listener = await MarkListener.open(folder, async () => answer);
});

test('exits with 3 if the run ends before it responds, or does not respond in time', async () => {
  answer = new Promise(() => {});
  const waiting = run(['x', '--folder', '.', '--timeout', '0.2']);
  expect(await waiting).toMatchObject({ code: 3 });
  expect((await waiting).err).toContain('no response within 0.2 s');
  // The first request may have timed out before it was sent.
  const ending = run(['y', '--folder', '.']);
  while (!requests.some(({ text }) => text === 'y')) await new Promise(resolve => setTimeout(resolve, 5));
  await listener.close();
  expect(await ending).toMatchObject({ code: 3 });
  expect((await ending).err).toContain('the run ended before it responded');
  listener = await MarkListener.open(folder, async () => answer as MarkResponse);
});

test.each<[string[], string]>([
  [[], 'missing mark; expected profiling-start'],
  [[' '], 'missing mark; expected profiling-start'],
  [['profiling-begin'], 'invalid mark "profiling-begin": expected profiling-start, profiling-end or a note'],
  [['Profiling-Start'], 'invalid mark "Profiling-Start"'],
  [['x'.repeat(1001)], 'the note has 1001 characters; expected at most 1000'],
  [['😀'.repeat(1001)], 'the note has 1001 characters; expected at most 1000'],
  [['x', '--who', 'x'.repeat(101)], '--who has 101 characters; expected at most 100'],
  [['x', '--who', ''], 'invalid --who "": expected a name'],
  [['x', '--timeout', 'soon'], 'invalid --timeout "soon": expected a number of seconds'],
  [['x', '--folder', 'a', '--socket', 'b'], 'cannot use both --folder and --socket'],
  [['x', '--folder', 'nowhere'], 'cannot read the folder "nowhere"'],
  [['x', '--lauder'], 'unknown option --lauder'],
])('rejects %j and exits with 2', async (args, message) => {
  const { code, err } = await run(args);
  expect(err).toContain(message);
  expect(code).toBe(2);
  expect(requests).toEqual([]);
});

test('requires --socket if several runs are active in a folder', async () => {
  const other = await MarkListener.open(folder, async () => answer);
  const { code, err } = await run(['x', '--folder', '.']);
  await other.close();
  expect(code).toBe(2);
  expect(err).toMatch(/several runs are active in \.; choose one with --socket: .*servelens-2\.sock/);
});

test('ignores the path file of a socket that does not exist', async () => {
  await listener.close();
  writeFileSync(join(folder, 'servelens.sock.path'), '/no/such/socket\n');
  expect(await run(['x', '--folder', '.'])).toMatchObject({ code: 3 });
  listener = await MarkListener.open(folder, async () => answer);
});
