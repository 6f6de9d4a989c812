import { describe, expect, test } from 'vitest';
import { runSimulateCommand, SIMULATE_OPTIONS, type SimulateValues } from '../src/simulateCommand.ts';
import { sendRaw, waitUntil } from './support/server.ts';

/** Runs the command, calls `use` with its output lines after it has printed its addresses, and stops it. */
async function withCommand(
  values: SimulateValues,
  use: (lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const lines: string[] = [];
  const command = runSimulateCommand(
    { port: 0, ...values },
    { print: line => lines.push(line), signal: controller.signal },
  );
  try {
    await waitUntil(() => lines.length > 1);
    await use(lines);
  } finally {
    controller.abort();
    await command;
  }
}

const findPageUrl = (lines: readonly string[], name: string): string => {
  return lines.find(line => line.startsWith(`  ${name}: `))!.split(': ')[1]!;
};

test('prints its addresses, and ends when the signal is aborted', async () => {
  let url = '';
  await withCommand({}, async lines => {
    expect(lines[0]).toMatch(
      /^Simulating vllm with model servelens\/simulated-8b at http:\/\/127\.0\.0\.1:\d+$/,
    );
    url = findPageUrl(lines, 'metrics');
    expect((await sendRaw(url)).status).toBe(200);
  });
  await expect(sendRaw(url)).rejects.toThrow('ECONNREFUSED');
});

test('applies its options', async () => {
  await withCommand(
    { kind: 'trtllm', model: 'm', truth: true, control: true, fault: ['html:page=prometheus'] },
    async lines => {
      const prometheus = findPageUrl(lines, 'prometheus');
      expect((await sendRaw(prometheus)).headers['content-type']).toContain('text/html');
      const iterations = findPageUrl(lines, 'iterations');
      expect((await sendRaw(iterations)).headers['content-type']).toBe('application/json');
      expect((await sendRaw(iterations.replace('/metrics', '/truth'))).status).toBe(200);
    },
  );
});

describe('rejects invalid values before listening', () => {
  test.each<[SimulateValues, string]>([
    [{ kind: 'tgi' }, 'invalid kind "tgi": expected one of vllm, sglang, trtllm, dynamo, triton'],
    [{ port: '8000' }, 'invalid port "8000": expected a number'],
    [{ color: 'red' }, 'unknown option "color" of simulate'],
    [{ fault: ['fire'] }, 'invalid fault kind "fire"'],
    [{ fault: [5] as unknown as string[] }, 'invalid fault 5: expected a string'],
    [{ speed: 0 }, 'speed is 0'],
    [{ 'arrival-rate': -2 }, 'arrival rate is -2'],
    [{ 'kv-blocks': 10 }, 'cannot hold one request'],
  ])('%j: %s', async (values, message) => {
    const io = { print: () => {}, signal: AbortSignal.abort() };
    await expect(runSimulateCommand({ port: 0, ...values }, io)).rejects.toThrow(message);
  });
});

test('every option has a unique name, a description, and a default of its type', () => {
  expect(new Set(SIMULATE_OPTIONS.map(({ name }) => name)).size).toBe(SIMULATE_OPTIONS.length);
  for (const { name, type, default: value, description } of SIMULATE_OPTIONS) {
    expect(description, name).toMatch(/^\S.*[^.]$/);
    if (value !== undefined) expect(typeof value, name).toBe(type);
  }
});
