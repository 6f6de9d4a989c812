import { expect, test } from 'vitest';
import { parseProcessUsage, readProcessUsage } from '../../src/measure/processUsage.ts';

const STATUS = 'Name:\tnode\nVmPeak:\t  900000 kB\nVmHWM:\t   90000 kB\nVmRSS:\t   80000 kB\n';

test.each([['node'], ['two words'], ['odd) name (x']])('parses the usage of a process named %j', name => {
  const fields = `S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0`;
  const usage = parseProcessUsage(STATUS, `4711 (${name}) ${fields}\n`);
  expect(usage).toEqual({ rssMb: 81.92, peakRssMb: 92.16, cpuS: 3 });
});

test.runIf(process.platform === 'linux')('reads the usage of this process', () => {
  const { rssMb, peakRssMb, cpuS } = readProcessUsage(process.pid);
  expect(rssMb).toBeGreaterThan(20);
  expect(peakRssMb).toBeGreaterThanOrEqual(rssMb * 0.99);
  expect(cpuS).toBeGreaterThan(0);
});
