/** The handle of a stream to a terminal in Node. */
interface TerminalHandle {
  /** The file descriptor that the handle writes to. */
  readonly fd?: number;
  setBlocking?(isBlocking: boolean): void;
}

/** A stream that may be a terminal. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly fd?: number;
}

/**
 * Makes a stream to a terminal wait for the terminal without blocking the process. Node writes to terminals synchronously on
 * systems other than Windows, so that a terminal that takes no output, such as after Ctrl-S or on a stalled connection, stops the
 * whole process. A text is still written at once if the terminal takes it; otherwise, the stream keeps it.
 *
 * Node has no public function for this. The mode belongs to the opened file, and Node opens terminals again for itself; if it has
 * not, the mode would also change for other programs, so it is left as it is.
 */
export function unblockTerminal(stream: TerminalStream): void {
  const { _handle: handle } = stream as { readonly _handle?: TerminalHandle };
  if (!stream.isTTY || process.platform === 'win32') return;
  if (handle?.fd === undefined || handle.fd < 0 || handle.fd === stream.fd) return;
  handle.setBlocking?.(false);
}
