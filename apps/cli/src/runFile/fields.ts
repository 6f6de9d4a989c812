import type { Path } from '@org/terminal/userFile';
import { type Field, isMapping, type RunFileReader, readSection, type Section } from './field.ts';

/** Creates a field for a text, a number or a boolean. A value that equals `ignored`, the default, sets nothing. */
export function scalar(option: string, ignored?: string | number | boolean): Field {
  return (value, path, reader) => {
    const text = readScalar(value, path, reader);
    if (text !== undefined && text !== String(ignored)) reader.set(option, [text], path);
  };
}

/** Creates a field for a value or a list of values. */
export function list(option: string): Field {
  return (value, path, reader) => {
    const items = Array.isArray(value) ? value : [value];
    const texts = items.flatMap((item, index) => {
      const itemPath = Array.isArray(value) ? [...path, index] : path;
      return readScalar(item, itemPath, reader) ?? [];
    });
    if (texts.length > 0) reader.set(option, texts, path);
  };
}

/** Creates a field for a boolean. `false` sets `offOption`, or nothing. */
export function toggle(option: string | undefined, offOption?: string): Field {
  return (value, path, reader) => {
    const isOn = readBoolean(value, path, reader);
    const name = isOn ? option : offOption;
    if (isOn !== undefined && name !== undefined) reader.set(name, ['true'], path);
  };
}

/** Creates a field for a flag that `false` switches off, because it is on by default or in the environment. */
export function flagValue(option: string): Field {
  return (value, path, reader) => {
    const isOn = readBoolean(value, path, reader);
    if (isOn !== undefined) reader.set(option, [String(isOn)], path);
  };
}

/** Creates a field for a mapping. */
export function section(fields: Section): Field {
  return (value, path, reader) => readSection(value, path, fields, reader);
}

/** Creates a field for a boolean or a mapping. `true` and a mapping set the option, and the fields of the mapping theirs. */
export function switchOrSection(option: string, fields: Section): Field {
  return (value, path, reader) => {
    if (!isMapping(value)) return toggle(option)(value, path, reader);
    reader.set(option, ['true'], path);
    readSection(value, path, fields, reader);
  };
}

/** Creates a field for a number of seconds, a duration such as `30s`, or a mapping with the key duration. */
export function ramp(option: string): Field {
  const fields: Section = {
    duration: scalar(option),
    strategy: onlyDefault('linear', 'ramps are linear'),
  };
  return (value, path, reader) =>
    isMapping(value) ? readSection(value, path, fields, reader) : scalar(option)(value, path, reader);
}

/** Creates a field for a value that has no effect. */
export function noEffect(): Field {
  return (_, path, reader) => reader.ignore(path);
}

/** Creates a field that Servelens does not have. */
export function missing(instead?: string): Field {
  return (_, path, reader) => reader.reportMissing(path, instead);
}

/** Creates a field that Servelens has only with the default of AIPerf. */
export function onlyDefault(expected: string | number | boolean, instead?: string): Field {
  return (value, path, reader) => {
    if (String(value) !== String(expected)) reader.reportMissing(path, instead);
  };
}

/** Returns the text of a scalar. Reports a mapping or a list, and returns undefined. */
export function readScalar(value: unknown, path: Path, reader: RunFileReader): string | undefined {
  if (['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return String(value);
  reader.report(path, 'has an unexpected type; expected a text, a number or a boolean');
  return undefined;
}

/** Returns a boolean, also from its text, which variables and templates create. */
export function readBoolean(value: unknown, path: Path, reader: RunFileReader): boolean | undefined {
  if (/^(?:true|false)$/i.test(String(value))) return String(value).toLowerCase() === 'true';
  reader.report(path, 'is not a boolean; expected true or false');
  return undefined;
}
