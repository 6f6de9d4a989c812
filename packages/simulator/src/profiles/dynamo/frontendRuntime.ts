import type { Registry } from '../../metrics/registry.ts';
import type { ProfileContext } from '../profile.ts';
import { EVENT_LOOP_BOUNDS } from './bounds.ts';

/** The frontend measures the delay of its event loop with a timer that fires after 10 ms, and 1.2 ms late. */
const TIMER_S = 0.0112;
const TIMER_DELAY_S = 0.0012;
/** Threads of the runtime. */
const THREADS = ['0', '1'];
const PREFIX = 'dynamo_tokio_';

/**
 * Declares the families of the frontend's runtime (event loop and threads), which say whether the frontend itself
 * is at its limit; here, it never is. Returns a function that updates the values that are computed on each read.
 */
export function declareRuntime(registry: Registry, { nowNs }: ProfileContext): () => void {
  const delay = registry
    .histogram(
      'dynamo_frontend_event_loop_delay_seconds',
      'Delay of a timer in the event loop in seconds',
      EVENT_LOOP_BOUNDS,
    )
    .labels({});
  registry.counter('dynamo_frontend_event_loop_stall', 'Delays of the event loop above 5 ms').labels({});
  declareTasks(registry);
  const refreshThreads = declareThreads(registry);
  const startNs = nowNs();
  return () => {
    const ageS = (nowNs() - startNs) / 1e9;
    for (let due = Math.floor(ageS / TIMER_S); delay.count < due; ) delay.observe(TIMER_DELAY_S);
    refreshThreads(ageS);
  };
}

function declareTasks(registry: Registry): void {
  const gauges = [
    ['alive_tasks', 'Tasks of the runtime', 27],
    ['blocking_threads', 'Threads for blocking calls', 2],
    ['blocking_idle_threads', 'Idle threads for blocking calls', 2],
    ['blocking_queue_depth', 'Blocking calls that wait for a thread', 0],
    ['global_queue_depth', 'Tasks in the queue of all threads', 0],
  ] as const;
  for (const [suffix, help, value] of gauges)
    registry
      .gauge(PREFIX + suffix, help)
      .labels({})
      .set(value);
  const counters = [
    ['budget_forced_yield', 'Tasks that were interrupted because they ran too long'],
    ['queue_overload_warnings', 'Warnings of a long queue of tasks'],
  ] as const;
  for (const [suffix, help] of counters) registry.counter(PREFIX + suffix, help).labels({});
}

function declareThreads(registry: Registry): (ageS: number) => void {
  const declareGauge = (suffix: string, help: string) => registry.gauge(`${PREFIX}worker_${suffix}`, help);
  const declareCounter = (suffix: string, help: string) =>
    registry.counter(`${PREFIX}worker_${suffix}`, help);
  const busy = declareGauge('busy_ratio', 'Busy share of a thread in thousandths');
  const queue = declareGauge('local_queue_depth', 'Tasks in the queue of a thread');
  const poll = declareGauge('mean_poll_time_ns', 'Mean time of one step of a task in ns');
  const overflow = declareCounter('overflow_count', 'Times when the queue of a thread was full');
  const park = declareCounter('park_count', 'Times when a thread had no work');
  const steal = declareCounter('steal_count', 'Tasks that a thread took from another one');
  for (const worker of THREADS) {
    for (const family of [queue, overflow]) family.labels({ worker });
    busy.labels({ worker }).set(32);
    poll.labels({ worker }).set(32600);
  }
  return ageS => {
    for (const worker of THREADS) {
      park.labels({ worker }).value = Math.floor(230 * ageS);
      steal.labels({ worker }).value = Math.floor(38 * ageS);
    }
  };
}
