import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileAggregate, ProfileSweep } from '@org/formats';

/** The valid documents of the tests of @org/formats. */
const DOCUMENTS = join(import.meta.dirname, '../../../../packages/formats/test/files/valid');

function readDocument<T>(name: string): T {
  return JSON.parse(readFileSync(join(DOCUMENTS, name), 'utf8')) as T;
}

/** The results of a sweep over three concurrencies, with two runs each. */
export const SWEEP: ProfileSweep = readDocument('profile-sweep.json');
/** The results of a sweep as AIPerf writes them, without the additional fields of Servelens. */
export const AIPERF_SWEEP: ProfileSweep = readDocument('profile-sweep-aiperf.json');
/** The results of repeated runs. */
export const AGGREGATE: ProfileAggregate = readDocument('profile-aggregate.json');
