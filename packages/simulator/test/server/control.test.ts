import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator.ts';
import { model, post, readJson, sendRaw, startSimulator, waitUntil } from '../support/server.ts';

test('sets and returns named marks', () => {
  const simulator = createSimulator({ seed: 1, arrivalRate: 10 });
  simulator.advance(2);
  const mark = simulator.control.mark('begin');
  expect(mark.atNs).toBe(2e9);
  expect(simulator.control.getMark('begin')).toBe(mark);
  expect(() => simulator.control.getMark('end')).toThrow('mark "end" does not exist; existing marks: begin');
});

test('rejects an invalid fault without changing the active faults', () => {
  const { control } = createSimulator({ faults: [{ kind: 'html' }] });
  expect(() => control.inject({ kind: 'stall', seconds: 0 })).toThrow('expected a number greater than 0');
  expect(control.faults).toEqual([{ kind: 'html' }]);
  control.clear();
  expect(control.faults).toEqual([]);
});

test('restart closes the connections of running requests', async () => {
  const simulator = await startSimulator({ speed: 1 });
  const response = await post(`${simulator.address.url}/v1/completions`, {
    model,
    prompt: 'x',
    max_tokens: 5000,
    ignore_eos: true,
    stream: true,
  });
  await simulator.control.restart();
  await expect(response.text()).rejects.toThrow();
  const next = await post(`${simulator.address.url}/v1/completions`, {
    model,
    prompt: 'x',
    max_tokens: 2,
    ignore_eos: true,
  });
  expect((await readJson(next)).usage.completion_tokens).toBe(2);
});

test('refuse closes the port temporarily', async () => {
  // An address that no other process uses, so that the port stays free.
  const host = process.platform === 'linux' ? '127.0.0.4' : '127.0.0.1';
  const { address, control } = await startSimulator({}, host);
  await control.refuse(1.5);
  await expect(sendRaw(address.metricsUrl)).rejects.toThrow('ECONNREFUSED');
  await waitUntil(() =>
    sendRaw(address.metricsUrl).then(
      () => true,
      () => false,
    ),
  );
  expect((await sendRaw(address.metricsUrl)).status).toBe(200);
  await expect(control.refuse(0)).rejects.toThrow('0 seconds');
});
