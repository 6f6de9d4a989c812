import { expect, test } from 'vitest';
import { ClientMonitor } from '../../src/run/clientMonitor.ts';
import { createRecord } from '../support/record.ts';

test('measures only requests since the last start', () => {
  const monitor = new ClientMonitor();
  monitor.start();
  monitor.addSendDelay(5e6);
  monitor.addRecord(createRecord({ missingEndMarker: true, templateProblem: 'first' }));
  monitor.addRecord(createRecord({ templateProblem: 'second' }));
  expect(monitor.computeRequestStats()).toMatchObject({ sendDelay: { count: 1 }, missingEndMarkers: 1 });
  expect(monitor.computeRequestStats().templateProblems).toEqual({ requests: 2, reason: 'first' });
  monitor.start();
  monitor.addRecord(createRecord());
  monitor.addRecord(createRecord({ firstTokenNs: undefined }));
  const { sendDelay, medianFirstTokenNs, missingEndMarkers } = monitor.computeRequestStats();
  expect([sendDelay.count, missingEndMarkers]).toEqual([0, 0]);
  expect(monitor.computeRequestStats()).not.toHaveProperty('templateProblems');
  expect(Math.abs(medianFirstTokenNs / 50e6 - 1)).toBeLessThan(0.01);
  expect(monitor.stop().utilization).toBeGreaterThanOrEqual(0);
});

test('measures the delay and the utilization of a blocked event loop', async () => {
  const monitor = new ClientMonitor();
  const startMs = performance.now();
  monitor.start();
  await new Promise(resolve => setTimeout(resolve, 10));
  const end = performance.now() + 30;
  while (performance.now() < end);
  await new Promise(resolve => setTimeout(resolve, 10));
  const { eventLoopDelay, utilization } = monitor.stop();
  expect(eventLoopDelay.maxNs).toBeGreaterThan(20e6);
  // The product is the busy time, which includes the 30 ms regardless of pauses of the machine.
  expect(utilization * (performance.now() - startMs)).toBeGreaterThan(24);
  expect(utilization).toBeLessThanOrEqual(1);
});
