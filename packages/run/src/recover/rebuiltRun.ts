import type { RunRecord } from '@org/record';
import type { RunHeader } from '@org/record/journal';
import type { Replay } from '@org/scrape';

/** The parts of a run that its client exports are rebuilt from. */
export interface RebuiltRun {
  readonly header: Pick<RunHeader, 'benchmarkId' | 'version'>;
  readonly record: RunRecord;
  readonly replay: Pick<Replay, 'marks'>;
}
