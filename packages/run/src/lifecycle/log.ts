/** Lines for people, on stderr: stdout is for results. */
export interface Log {
  info(message: string): void;
  warning(message: string): void;
  error(message: string): void;
}
