import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunInputError } from '@org/record';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MarkListener } from '../../src/marks/listener.ts';
import { connectToFolder, connectToSocket, NoRunError, sendMark } from '../../src/marks/markClient.ts';
import type { MarkRequest, MarkResponse } from '../../src/marks/protocol.ts';

const REQUEST: MarkRequest = { mark: 'note', text: 'half way', sender: 'me' };
const RECORDED: MarkResponse = { ok: true, time_ns: '1', message: 'noted' };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mark-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** Listens for marks in a folder, as an active run does. */
async function listen(
  path: string,
  respond: (request: MarkRequest) => Promise<MarkResponse> = async () => RECORDED,
): Promise<MarkListener> {
  const listener = await MarkListener.open(path, respond);
  onTestFinished(() => listener.close());
  return listener;
}

describe('connectToSocket', () => {
  test('connects to an active run', async () => {
    const { path } = await listen(folder);
    expect(await sendMark(await connectToSocket(path), REQUEST, 10_000)).toEqual(RECORDED);
  });

  test('throws if the socket does not exist', async () => {
    const path = join(folder, 'none.sock');
    await expect(connectToSocket(path)).rejects.toThrow(
      new NoRunError(`no active run at ${path}: the socket does not exist`),
    );
  });
});

describe('connectToFolder', () => {
  test('connects to the active run of a benchmark with repeated runs', async () => {
    const run = join(folder, 'profile_runs', 'run_0002');
    mkdirSync(run, { recursive: true });
    const requests: MarkRequest[] = [];
    await listen(run, async request => {
      requests.push(request);
      return RECORDED;
    });
    await sendMark(await connectToFolder(folder, 'shown'), REQUEST, 10_000);
    expect(requests).toEqual([REQUEST]);
  });

  test('throws if the run has ended', async () => {
    await (await listen(folder)).close();
    await expect(connectToFolder(folder, 'shown')).rejects.toThrow(
      new NoRunError('no active run in shown; the run has ended, or uses another folder'),
    );
  });

  test('throws if several runs are active', async () => {
    await listen(folder);
    await listen(folder);
    const connection = connectToFolder(folder, 'shown');
    await expect(connection).rejects.toThrow(RunInputError);
    await expect(connection).rejects.toThrow(
      /^several runs are active in shown; specify the socket of one of them: .*servelens-2\.sock/,
    );
  });

  test('throws if the folder does not exist', async () => {
    const connection = connectToFolder(join(folder, 'none'), 'none');
    await expect(connection).rejects.toThrow(RunInputError);
    await expect(connection).rejects.toThrow(/^cannot read folder "none": /);
  });

  test('ignores the path file of a socket that does not exist', async () => {
    writeFileSync(join(folder, 'servelens.sock.path'), '/no/such/socket\n');
    await expect(connectToFolder(folder, 'shown')).rejects.toThrow(NoRunError);
  });
});

describe('sendMark', () => {
  test('throws if the run does not respond in time', async () => {
    const { path } = await listen(folder, () => new Promise(() => {}));
    await expect(sendMark(await connectToSocket(path), REQUEST, 200)).rejects.toThrow(
      new NoRunError('no response within 0.2 s; the mark may have been recorded'),
    );
  });

  test('throws if the run ends before it responds', async () => {
    let onRequest = (): void => {};
    const requested = new Promise<void>(resolve => {
      onRequest = resolve;
    });
    const listener = await listen(folder, () => {
      onRequest();
      return new Promise(() => {});
    });
    const response = sendMark(await connectToSocket(listener.path), REQUEST, 10_000);
    await requested;
    await Promise.all([
      expect(response).rejects.toThrow(new NoRunError('the run ended before it responded')),
      listener.close(),
    ]);
  });
});
