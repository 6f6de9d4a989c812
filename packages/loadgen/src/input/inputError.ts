/** An error for an invalid input file. */
export class InputError extends Error {
  override name = 'InputError';
}

/** Calls `parse`, and adds the place to the message of an `InputError`. */
export function withPlace<T>(place: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${place}: ${error.message}`);
    throw error;
  }
}
