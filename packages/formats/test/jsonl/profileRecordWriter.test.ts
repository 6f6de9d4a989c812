import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ProfileRecord } from '../../src/index.ts';
import { openProfileRecords, writeProfileRecordLine } from '../../src/write.ts';

const createRecord = (session: number): ProfileRecord => ({
  metadata: {
    session_num: session,
    request_start_ns: 1772000000000000001n,
    request_end_ns: 1772000001000000002n,
    benchmark_phase: 'profiling',
  },
  metrics: {
    request_latency: { value: 1000.000001, unit: 'ms' },
    output_sequence_length: { value: 12, unit: 'tokens' },
    inter_chunk_latency: { value: [1.5, 2], unit: 'ms' },
  },
  error: null,
});

describe('writeProfileRecordLine', () => {
  it('returns one line with exact times and numbers', () => {
    expect(writeProfileRecordLine(createRecord(3))).toBe(
      '{"metadata":{"session_num":3,"request_start_ns":1772000000000000001,"request_end_ns":1772000001000000002,' +
        '"benchmark_phase":"profiling"},"metrics":{"request_latency":{"value":1000.000001,"unit":"ms"},' +
        '"output_sequence_length":{"value":12,"unit":"tokens"},"inter_chunk_latency":{"value":[1.5,2],"unit":"ms"}},"error":null}',
    );
  });
});

describe('openProfileRecords', () => {
  const folder = mkdtempSync(join(tmpdir(), 'formats-'));
  const path = join(folder, 'profile_export.jsonl');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes each line before append resolves', async () => {
    const writer = await openProfileRecords(path);
    await writer.append(createRecord(0));
    expect(readFileSync(path, 'utf8')).toBe(`${writeProfileRecordLine(createRecord(0))}\n`);
    expect(writer.lines).toBe(1);
    await writer.append(createRecord(1));
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
    await writer.close();
  });

  it('keeps the order of concurrent appends, and resolves each after its line is written', async () => {
    const writer = await openProfileRecords(path);
    const acknowledged = Array.from({ length: 500 }, async (_, session) => {
      await writer.append(createRecord(session));
      return readFileSync(path, 'utf8').includes(`"session_num":${session},`);
    });
    expect(await Promise.all(acknowledged)).toEqual(Array(500).fill(true));
    const result = await writer.close();
    const text = readFileSync(path, 'utf8');
    const sessions = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).metadata.session_num);
    expect(sessions).toEqual(Array.from({ length: 500 }, (_, session) => session));
    expect(result).toEqual({ ok: true, path, bytes: Buffer.byteLength(text) });
  });

  it('writes pending lines on close', async () => {
    const writer = await openProfileRecords(path);
    for (let session = 0; session < 10; session++) void writer.append(createRecord(session));
    await writer.close();
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(11);
    await expect(writer.append(createRecord(0))).rejects.toThrow('it is closed');
    expect(await writer.close()).toMatchObject({ ok: true });
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk and does not throw', async () => {
    const writer = await openProfileRecords('/dev/full');
    await writer.append(createRecord(0));
    expect(writer.failure).toMatchObject({ ok: false, reason: 'disk_full' });
    await writer.append(createRecord(1));
    expect(await writer.close()).toMatchObject({ ok: false, reason: 'disk_full' });
    expect(writer.lines).toBe(0);
  });

  it("reports an error that is not the file system's, and does not throw", async () => {
    const writer = await openProfileRecords(path);
    const toBuffer = vi.spyOn(Buffer, 'from').mockImplementationOnce(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    await writer.append(createRecord(0));
    toBuffer.mockRestore();
    const failure = {
      ok: false,
      reason: 'failed',
      message: `cannot write ${path}: Array buffer allocation failed`,
    };
    expect(writer.failure).toMatchObject(failure);
    expect(await writer.close()).toMatchObject(failure);
  });

  it('throws if the folder does not exist', async () => {
    await expect(openProfileRecords(join(folder, 'no', 'file'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
