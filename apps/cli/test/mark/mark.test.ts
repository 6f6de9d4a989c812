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
])('%j is sent', async (words, request) => {
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
  ['by its folder', () => ['--folder', '.']],
  ['by its socket', () => ['--socket', 'servelens.sock']],
])('a run is found %s', async (_name, options) => {
  expect((await run(['x', ...options()])).code).toBe(0);
  expect(requests).toHaveLength(1);
});

test('a refusal is 1 and says why', async () => {
  answer = { ok: false, error: 'profiling has ended already' };
  const { code, out, err } = await run(['profiling-end', '--folder', '.']);
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: 'servelens mark: profiling has ended already\n',
  });
});

test('with no run that listens it is 3 and says what is missing', async () => {
  const unset = await run(['x']);
  expect(unset).toMatchObject({ code: 3 });
  expect(unset.err).toContain('no run to mark: SERVELENS_SOCKET is not set');
  const gone = await run(['x'], { SERVELENS_SOCKET: join(folder, 'none.sock') });
  expect(gone).toMatchObject({ code: 3 });
  expect(gone.err).toContain('none.sock: there is no such socket');
  await listener.close();
  const ended = await run(['x', '--folder', '.']);
  expect(ended).toMatchObject({ code: 3 });
  expect(ended.err).toContain('no run listens in .: it has ended');
  listener = await MarkListener.open(folder, async () => answer);
});

test('a run that ends before it answers is 3, one that takes too long as well', async () => {
  answer = new Promise(() => {});
  const waiting = run(['x', '--folder', '.', '--timeout', '0.2']);
  expect(await waiting).toMatchObject({ code: 3 });
  expect((await waiting).err).toContain('no answer within 0.2 s');
  // The first one may have given up before it said anything.
  const ending = run(['y', '--folder', '.']);
  while (!requests.some(({ text }) => text === 'y')) await new Promise(resolve => setTimeout(resolve, 5));
  await listener.close();
  expect(await ending).toMatchObject({ code: 3 });
  expect((await ending).err).toContain('the run ended before it answered');
  listener = await MarkListener.open(folder, async () => answer as MarkResponse);
});

test.each<[string[], string]>([
  [[], 'the mark says nothing'],
  [[' '], 'the mark says nothing'],
  [['profiling-begin'], 'cannot mark "profiling-begin"; expected profiling-start, profiling-end or a note'],
  [['Profiling-Start'], 'cannot mark "Profiling-Start"'],
  [['x'.repeat(1001)], 'the note has 1001 characters; expected 1000 at most'],
  [['😀'.repeat(1001)], 'the note has 1001 characters; expected 1000 at most'],
  [['x', '--who', 'x'.repeat(101)], '--who has 101 characters; expected 100 at most'],
  [['x', '--who', ''], '--who is ""; expected a name'],
  [['x', '--timeout', 'soon'], '--timeout is "soon"; expected a number of seconds'],
  [['x', '--folder', 'a', '--socket', 'b'], 'cannot use both --folder and --socket'],
  [['x', '--folder', 'nowhere'], 'cannot read the folder "nowhere"'],
  [['x', '--lauder'], 'unknown option --lauder'],
])('%j is a mistake: 2', async (args, message) => {
  const { code, err } = await run(args);
  expect(err).toContain(message);
  expect(code).toBe(2);
  expect(requests).toEqual([]);
});

test('of several runs in a folder one has to be named', async () => {
  const other = await MarkListener.open(folder, async () => answer);
  const { code, err } = await run(['x', '--folder', '.']);
  await other.close();
  expect(code).toBe(2);
  expect(err).toMatch(/several runs listen in \.; name one with --socket: .*servelens-2\.sock/);
});

test('a file that points nowhere is no run', async () => {
  await listener.close();
  writeFileSync(join(folder, 'servelens.sock.path'), '/no/such/socket\n');
  expect(await run(['x', '--folder', '.'])).toMatchObject({ code: 3 });
  listener = await MarkListener.open(folder, async () => answer);
});
