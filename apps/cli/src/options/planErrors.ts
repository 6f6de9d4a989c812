import { formatPlanError, PlanError, type PlanField } from '@org/run';
import { UsageError } from '@org/terminal';

/** Options by the plan field that they set. Fields that depend on several options are not listed. */
const OPTION_BY_FIELD: Readonly<Partial<Record<PlanField, string>>> = {
  durationSeconds: '--duration',
  end: '--end',
  folder: '--artifact-dir',
  'inputs.file': '--input-file',
  'inputs.fixedSchedule': '--fixed-schedule',
  'request.format': '--extra-inputs',
  'search.limits': '--search-sla',
  shard: '--shard',
  start: '--start',
  tokenizer: '--tokenizer',
  window: '--window',
  workers: '--workers',
};

const TOKENIZER_ADVICE =
  'use --tokenizer DIR, a folder with a tokenizer.json, or --tokenizer builtin, which is o200k_base';

/**
 * Runs `work`, and converts a `PlanError` to a `UsageError` that names the option instead of the field. A
 * `PlanError` without a corresponding option is rethrown unchanged.
 */
export async function withOptionNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const { field, reason, value } = error;
    const option = OPTION_BY_FIELD[field];
    if (field === 'inputs') throw new UsageError(`cannot create the inputs: ${reason}`);
    if (field === 'tokenizer.file') throw new UsageError(`${reason}; ${TOKENIZER_ADVICE}`);
    throw option === undefined ? error : new UsageError(formatPlanError(option, reason, value));
  }
}
