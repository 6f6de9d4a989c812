import { RunInputError } from '@org/record';

/** The fields of a plan whose values are checked when the run starts. */
export type PlanField =
  | 'durationSeconds'
  | 'end'
  | 'folder'
  | 'inputs'
  | 'inputs.file'
  | 'inputs.fixedSchedule'
  | 'request.format'
  | 'search.limits'
  | 'shard'
  | 'start'
  | 'targets'
  | 'tokenizer'
  | 'tokenizer.file'
  | 'window'
  | 'workers';

/** Thrown if a plan cannot be executed, because a field has an invalid value. */
export class PlanError extends RunInputError {
  readonly field: PlanField;
  /** The invalid value; undefined if `reason` describes the problem without it. */
  readonly value: unknown;
  readonly reason: string;

  constructor(field: PlanField, reason: string, value?: unknown) {
    super(formatPlanError(field, reason, value));
    this.field = field;
    this.reason = reason;
    this.value = value;
  }
}

/**
 * Formats `invalid NAME VALUE: REASON`, or `NAME: REASON` without a value. `name` is the name of the field in
 * the user interface, such as an option.
 */
export function formatPlanError(name: string, reason: string, value?: unknown): string {
  return value === undefined ? `${name}: ${reason}` : `invalid ${name} ${JSON.stringify(value)}: ${reason}`;
}
