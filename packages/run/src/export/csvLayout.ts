import type { CsvOptions } from '@org/formats/write';
import type { Compatibility } from '@org/record';

/** Returns the CSV layout of the program whose files are written. */
export function getCsvLayout(compatibility: Compatibility = 'servelens'): NonNullable<CsvOptions['layout']> {
  return compatibility === 'servelens' ? 'servelens' : 'aiperf';
}
