import type { JsonOptions } from '@org/formats/write';
import type { Compatibility } from '@org/record';

/** Returns the layout of the files of a program. */
export function getFileLayout(compatibility: Compatibility | undefined): NonNullable<JsonOptions['layout']> {
  return compatibility === 'aiperf-0.13' ? 'aiperf' : 'servelens';
}
