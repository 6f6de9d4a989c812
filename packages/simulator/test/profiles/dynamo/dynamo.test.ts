import { expect, test } from 'vitest';
import { Simulation } from '../../../src/simulation.ts';
import { readExposition, readSampleValue } from '../../support/exposition.ts';
import { expectLikeReal, listCompleted, readPages, runUnderLoad } from '../../support/profiles.ts';
import { hasShared, readSharedBody } from '../../support/shared.ts';

const PAGES = 'peers/dynamo-1.6.1';
const ROUTERS = [
  ['round-robin', 'agg', [58, 81]],
  ['kv', 'kv3', [96, 123]],
] as const;

const simulation = runUnderLoad({ kind: 'dynamo', model: 'Org/Model', engines: 2 });
const families = readPages(simulation);
const completed = listCompleted(simulation);

function readPage(from: Simulation, page: string) {
  return readExposition(from.getPage(page).read('').body);
}

test.each(ROUTERS)(
  '%s: most families of requests are created with the first request',
  (dynamoRouter, _, counts) => {
    const idle = readPage(new Simulation({ kind: 'dynamo', dynamoRouter }), 'frontend');
    const loaded = readPage(runUnderLoad({ kind: 'dynamo', dynamoRouter }), 'frontend');
    expect([idle.size, loaded.size]).toEqual(counts);
  },
);

test.skipIf(!hasShared).each(ROUTERS)(
  '%s: has the families of a real frontend before and under load',
  (dynamoRouter, folder) => {
    const idle = new Simulation({ kind: 'dynamo', dynamoRouter });
    const loaded = runUnderLoad({ kind: 'dynamo', dynamoRouter });
    const moments = [
      ['before', idle],
      ['during', loaded],
    ] as const;
    for (const [moment, simulated] of moments) {
      const real = readExposition(readSharedBody(`${PAGES}/${folder}/${moment}.frontend.prom`));
      expect([...readPage(simulated, 'frontend').keys()].sort(), moment).toEqual([...real.keys()].sort());
    }
    expectLikeReal(readPage(loaded, 'frontend'), `${PAGES}/${folder}/during.frontend.prom`, /^$/);
  },
);

test.skipIf(!hasShared)('has the types, labels and bounds of a real worker', () => {
  // The engine of the real page is Dynamo's mocker, which writes the numbers of vLLM's families in another style.
  expectLikeReal(readPage(simulation, 'component'), `${PAGES}/agg/during.worker1.prom`, /^vllm:/);
});

test('serves the frontend and the worker on two ports', () => {
  expect(simulation.pages.map(({ name, port, path }) => [name, port, path])).toEqual([
    ['frontend', 'main', '/metrics'],
    ['component', 'side', '/metrics'],
  ]);
});

test('the page of the worker ends with the metrics of vLLM', () => {
  const { body } = simulation.getPage('component').read('');
  expect(body.lastIndexOf('# TYPE dynamo_component_')).toBeLessThan(body.indexOf('# TYPE vllm:'));
  const counts = families
    .get('vllm:e2e_request_latency_seconds')!
    .samples.filter(({ name }) => name.endsWith('_count'));
  expect(counts.map(({ labels }) => labels.engine)).toEqual(['0', '1']);
  expect(counts.reduce((sum, { value }) => sum + value, 0)).toBe(completed.length);
});

test('the worker counts all ended requests of its engines', () => {
  const { requests } = simulation.getTruth();
  const labels = { dynamo_endpoint: 'generate' };
  expect(readSampleValue(families, 'dynamo_component_requests_total', labels)).toBe(requests.length);
  expect(readSampleValue(families, 'dynamo_component_cancellation_total', labels)).toBe(
    requests.length - completed.length,
  );
  const inFlight = simulation.engines.reduce((sum, { running, waiting }) => sum + running + waiting, 0);
  expect(readSampleValue(families, 'dynamo_component_inflight_requests', labels)).toBe(inFlight);
  expect(readSampleValue(families, 'dynamo_work_handler_pool_active_tasks')).toBe(inFlight);
});

test('a restart changes the identifiers of processes and removes the series of requests', () => {
  const server = runUnderLoad({ kind: 'dynamo' });
  const readWorker = () =>
    readPage(server, 'component').get('dynamo_component_uptime_seconds')!.samples[0]!.labels.worker_id;
  const before = readWorker();
  expect(before).toMatch(/^[0-9a-f]{16}$/);
  server.restart();
  expect(readWorker()).not.toBe(before);
  expect(readPage(server, 'frontend').has('dynamo_frontend_requests_total')).toBe(false);
});
