import { expect, test } from 'vitest';
import { parseUsageReport, runNode } from '../../src/measure/measuredProcess.ts';

test.each([
  ['\npeak 2048 cpu 1.5\n', { peakMb: 2, cpuSeconds: 1.5 }],
  ['\npeak 1024 cpu 1.5 main 1.25\n', { peakMb: 1, cpuSeconds: 1.5, mainCpuSeconds: 1.25 }],
  ['a warning\n\npeak 1024 cpu 2e-3\n', { peakMb: 1, cpuSeconds: 0.002 }],
  ['peak of something', undefined],
  ['', undefined],
])('parses the usage report at the end of %j', (stderr, usage) => {
  expect(parseUsageReport(stderr)).toEqual(usage);
});

test('measures a Node process', async () => {
  const program = 'console.log("done"); console.error("warning"); process.exitCode = 3';
  const result = await runNode(['--eval', program]);
  expect(result).toMatchObject({ code: 3, stdout: 'done\n' });
  expect(result.seconds).toBeGreaterThan(0.01);
  expect(result.peakMb).toBeGreaterThan(10);
  expect(result.cpuSeconds).toBeGreaterThan(0);
});

test('throws if the process is killed before it prints a usage report', async () => {
  await expect(runNode(['--eval', 'process.kill(process.pid, "SIGKILL")'])).rejects.toThrow(
    'without a usage report',
  );
});
