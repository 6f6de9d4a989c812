import { hostname } from 'node:os';
import { isLocalHost } from '@org/gpu';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan.gpuTelemetry;

/** The URLs of a plan, and its local commands. */
function summarize(line: string): unknown {
  const plan = read(line);
  if (!plan) return undefined;
  const { exporters, probes, commands, fallbacks, gpus } = plan;
  const list = (targets: typeof probes): string[] => targets.map(({ url }) => url);
  return [list(exporters), list(probes), commands, fallbacks, gpus];
}

const LOCAL_PROBES = ['http://localhost:9400/metrics', 'http://localhost:9401/metrics'];
const LOCAL = ['nvidia', 'amd'];

test.each<[line: string, plan: unknown]>([
  ['', [[], LOCAL_PROBES, [], LOCAL, []]],
  ['--url http://127.0.0.1:8000', [[], LOCAL_PROBES, [], LOCAL, []]],
  ['--url http://gpu-server.example:8000', [[], [], [], [], []]],
  ['--no-gpu-telemetry', undefined],
  ['--gpu-telemetry --gpus 0', [[], LOCAL_PROBES, [], LOCAL, ['0']]],
  ['--gpu-telemetry dashboard', [[], LOCAL_PROBES, [], LOCAL, []]],
  [
    '--url http://node1:8000 --gpu-telemetry auto',
    [[], ['http://node1:9400/metrics', 'http://node1:9401/metrics', 'http://node1:5000/metrics'], [], [], []],
  ],
  [
    '--url http://node1:8000 --gpu-telemetry node1:9400,http://node2:9401/metrics',
    [['http://node1:9400/metrics', 'http://node2:9401/metrics'], [], [], [], []],
  ],
  ['--gpu-telemetry pynvml --gpus 0,1', [[], [], ['nvidia'], [], ['0', '1']]],
  ['--gpu-telemetry amdsmi', [[], [], ['amd'], [], []]],
  ['--gpu-telemetry PYNVML dashboard', [[], [], ['nvidia'], [], []]],
  ['--gpus node1/0 GPU-8f6c', [[], LOCAL_PROBES, [], LOCAL, ['node1/0', 'GPU-8f6c']]],
])('%j', (line, plan) => {
  expect(summarize(line)).toEqual(plan);
});

test('--gpu-map assigns GPUs to servers', () => {
  const plan = read('--url http://a:1 http://b:2 --gpu-map a:1=0,1 b:2=GPU-8f6c');
  expect(plan!.map).toEqual([
    { server: 'a:1', gpus: ['0', '1'] },
    { server: 'b:2', gpus: ['GPU-8f6c'] },
  ]);
});

test.each<[line: string, message: string | RegExp]>([
  ['--no-gpu-telemetry --gpu-telemetry auto', 'cannot use both --gpu-telemetry and --no-gpu-telemetry'],
  ['--no-gpu-telemetry --gpus 0', 'cannot use both --gpus and --no-gpu-telemetry'],
  ['--gpu-telemetry nvml', /"nvml".*auto, pynvml, amdsmi/],
  ['--gpu-telemetry ftp://node1:21', /--gpu-telemetry: .*unsupported scheme ftp/],
  ['--gpu-telemetry pynvml node1:9400', /cannot use both a local source and "node1:9400"/],
  ['--gpus x', /"x".*an index such as 0/],
  ['--gpu-map 0', /--gpu-map "0".*SERVER=GPU/],
  ['--gpu-map localhost:8000=x', /SERVER=GPU\[,GPU\.\.\.\], such as localhost:8000=0,1/],
  ['--gpu-map node1:8000=0', /"node1:8000=0".*a server whose metrics are scraped, such as localhost:8000/],
  ['--gpu-map localhost:8000=0 localhost:8000=1', /lists the server localhost:8000 twice/],
  ['--no-gpu-telemetry --gpu-map localhost:8000=0', 'cannot use both --gpu-map and --no-gpu-telemetry'],
])('rejects %j', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});

test.each(['localhost', '127.0.0.1', '127.0.0.2', '::1', '[::1]', '0.0.0.0', 'LOCALHOST', hostname()])(
  '%s is this host',
  host => {
    expect(isLocalHost(host)).toBe(true);
  },
);

test.each(['node1.example', '192.0.2.1', '10.127.0.1'])('%s is another host', host => {
  expect(isLocalHost(host)).toBe(false);
});
