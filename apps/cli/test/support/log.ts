import type { Log } from '@org/terminal/live';

/** A log that records its lines, such as `warning: the disk is full`. */
export interface TestLog extends Log {
  readonly lines: string[];
}

export function createTestLog(): TestLog {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string): void =>
      void lines.push(`${level}: ${message}`);
  return { info: write('info'), warning: write('warning'), error: write('error'), lines };
}
