import { UsageError } from '@org/record';
import type { RawOptions } from './optionvalue.ts';

/**
 * yargs takes `--streaming=yes` for no. Throws `UsageError` for a switch among the words of the command line that is set to
 * anything but true or false; what stands behind `--` belongs to a command. `raw`: what yargs made of the words.
 */
export function checkSwitches(raw: RawOptions, argv: readonly string[]): void {
  const behind = argv.indexOf('--');
  for (const word of behind < 0 ? argv : argv.slice(0, behind)) {
    const [, dashes, name, value = ''] = /^(--?)([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || /^(?:true|false)$/.test(value)) continue;
    // Of -vq=yes the last letter has the value.
    const option = dashes === '-' ? name.slice(-1) : name;
    if (typeof raw[option] !== 'boolean') continue;
    throw new UsageError(
      `${dashes}${option} is ${JSON.stringify(value)}; expected true or false, or the option alone`,
    );
  }
}
