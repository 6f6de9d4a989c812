import type { LivePlan } from '@org/live';
import type { RunEvent } from '@org/run';
import { TestEndpoint, TestLoad } from '../../../live/test/support.ts';
import type { RunDescription } from '../../src/metrics/runIdentity.ts';

/** The part of `Push` that follows a run. */
interface RunFollower {
  startRun(plan: LivePlan, description: RunDescription): void;
  handle(event: RunEvent): void;
}

/** Starts a run with a load and a server. Returns the load. */
export function startRun(push: RunFollower, id = 'run-1'): TestLoad {
  const load = new TestLoad();
  const endpoint = new TestEndpoint().scrape(1, { 'gauge vllm:num_requests_running': 3 });
  const active = load.createActive([endpoint]);
  push.startRun({}, { models: ['m'], endpointType: 'chat' });
  for (const event of [
    { type: 'run_created', benchmarkId: id },
    { type: 'load_started', active },
  ] satisfies RunEvent[])
    push.handle(event);
  return load;
}
