import { formatPlanError, PlanError, type PlanField } from '@org/run';
import { UsageError } from '@org/terminal';

/** The options that set the fields of a plan; other fields are not set by a single option. */
const OPTIONS: Readonly<Partial<Record<PlanField, string>>> = {
  durationSeconds: '--duration',
  end: '--end',
  folder: '--artifact-dir',
  'inputs.file': '--input-file',
  'inputs.fixedSchedule': '--fixed-schedule',
  start: '--start',
  tokenizer: '--tokenizer',
  window: '--window',
  workers: '--workers',
};

/** Runs `work`, and converts a `PlanError` to a `UsageError` that names the option instead of the field. */
export async function withOptionNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const { field, reason, value } = error;
    const option = OPTIONS[field];
    if (field === 'inputs') throw new UsageError(`cannot create the inputs: ${reason}`);
    throw option === undefined ? error : new UsageError(formatPlanError(option, reason, value));
  }
}
