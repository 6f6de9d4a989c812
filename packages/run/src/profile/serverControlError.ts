import { RunInputError } from '@org/record';

/** Thrown if the servers of a run cannot be prepared, so that the run cannot start. */
export class ServerControlError extends RunInputError {}
