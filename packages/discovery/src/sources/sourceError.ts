import { UsageError } from '@org/terminal';

/** Thrown if a source of endpoints cannot be read, or if its contents are invalid. The message contains no secrets. */
export class SourceError extends UsageError {}
