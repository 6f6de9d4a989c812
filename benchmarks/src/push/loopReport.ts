/**
 * Preloaded into a measured process: writes at its exit how long its main thread was busy, and how late its timers were, to
 * the file in SERVELENS_LOOP_REPORT.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { env } from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** Interval of the timer whose delay is measured, in milliseconds. */
const RESOLUTION_MS = 2;

const file = env.SERVELENS_LOOP_REPORT;
if (isMainThread && file !== undefined) {
  delete env.SERVELENS_LOOP_REPORT;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const start = performance.eventLoopUtilization();
  delay.enable();
  process.on('exit', () => {
    const { active } = performance.eventLoopUtilization(start);
    const toMs = (percent: number): number => delay.percentile(percent) / 1e6 - RESOLUTION_MS;
    writeFileSync(
      file,
      JSON.stringify({ activeMs: active, p90Ms: toMs(90), p99Ms: toMs(99), p999Ms: toMs(99.9) }),
    );
  });
}
