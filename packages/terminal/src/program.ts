/** Command-line programs: commands, options, parsing and help. */

export type {
  Command,
  CommandContext,
  CommandEntry,
  HelpSection,
  Io,
  NestedProgram,
  Program,
} from './program/command.ts';
export {
  flag,
  type Option,
  type OptionTable,
  OUTPUT_FLAGS,
  option,
  pickOptions,
  QUIET_OPTION,
  type UnavailableChoices,
  type UnavailableOptions,
  withDefaultText,
} from './program/option.ts';
export {
  createOptionError,
  formatOptionValue,
  isSet,
  type NumberRange,
  omitUndefined,
  parseNumber,
  parseSeconds,
  type RawOptions,
  readByteSize,
  readList,
  readNumber,
  readSeconds,
  readSecondsOrInfinity,
  readText,
} from './program/optionValues.ts';
export { getProcessIo } from './program/processIo.ts';
export { runProgram } from './program/runProgram.ts';
