import { describe, expect, test } from 'vitest';
import {
  type ListeningServer,
  runSimulateCommand,
  SIMULATE_OPTIONS,
  type SimulateValues,
} from '../src/simulateCommand.ts';
import { sendRaw, waitUntil } from './support/server.ts';

/** Runs the command, calls `use` with the addresses of its server, and stops it. */
async function withCommand(
  values: SimulateValues,
  use: (server: ListeningServer) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const servers: ListeningServer[] = [];
  const command = runSimulateCommand(
    { port: 0, ...values },
    { onListening: server => servers.push(server), signal: controller.signal },
  );
  try {
    await waitUntil(() => servers.length > 0);
    await use(servers[0]!);
  } finally {
    controller.abort();
    await command;
  }
}

test('reports its addresses, and ends when the signal is aborted', async () => {
  let metrics = '';
  await withCommand({}, async ({ kind, model, url, pages }) => {
    expect([kind, model]).toEqual(['vllm', 'servelens/simulated-8b']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    metrics = pages.metrics!;
    expect((await sendRaw(metrics)).status).toBe(200);
  });
  await expect(sendRaw(metrics)).rejects.toThrow('ECONNREFUSED');
});

test('applies its options', async () => {
  await withCommand(
    { kind: 'trtllm', model: 'm', truth: true, control: true, fault: ['html:page=prometheus'] },
    async ({ pages: { prometheus, iterations } }) => {
      expect((await sendRaw(prometheus!)).headers['content-type']).toContain('text/html');
      expect((await sendRaw(iterations!)).headers['content-type']).toBe('application/json');
      expect((await sendRaw(iterations!.replace('/metrics', '/truth'))).status).toBe(200);
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
    const io = { onListening: () => {}, signal: AbortSignal.abort() };
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
