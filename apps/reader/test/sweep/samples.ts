import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileAggregate, ProfileSweep } from '@org/formats';

/** The valid samples of @org/formats. */
const SAMPLES = join(import.meta.dirname, '../../../../packages/formats/test/files/valid');

function sample<T>(name: string): T {
  return JSON.parse(readFileSync(join(SAMPLES, name), 'utf8')) as T;
}

export const SWEEP: ProfileSweep = sample('profile-sweep.json');
/** As AIPerf writes it, without what is ours. */
export const PLAIN_SWEEP: ProfileSweep = sample('profile-sweep-aiperf.json');
export const AGGREGATE: ProfileAggregate = sample('profile-aggregate.json');
