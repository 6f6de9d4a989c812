/** The times at which requests are to be sent. They do not depend on when answers come. */
export interface Arrivals {
  /** The next one, ns since the beginning of the phase, not before the one before; undefined when there are no more. */
  next(): number | undefined;
}
