import { SourceError } from './sourceError.ts';

/** Labels of a target by name. */
export type TargetLabels = Readonly<Record<string, string>>;

/** Names of labels in Prometheus: https://prometheus.io/docs/concepts/data_model/#metric-names-and-labels */
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const META_PREFIX = '__meta_';
const RESERVED_PREFIX = '__';

const MAX_LABELS = 128;
const MAX_NAME_CHARACTERS = 200;
const MAX_VALUE_CHARACTERS = 4096;
const MAX_SHOWN_CHARACTERS = 80;

/**
 * Converts the labels of a source to the labels of a target: `__meta_x` becomes `x` unless there is a label `x`, other
 * labels that begin with two underscores are omitted, and so are empty values. Throws `SourceError` if a name or a value
 * is invalid. `subject` names the place in the message.
 */
export function toTargetLabels(labels: TargetLabels, subject: string): TargetLabels {
  const entries = Object.entries(labels);
  const meta = entries
    .filter(([name]) => name.startsWith(META_PREFIX))
    .map(([name, value]) => [name.slice(META_PREFIX.length), value] as const);
  const plain = entries.filter(([name]) => !name.startsWith(RESERVED_PREFIX));
  const merged = Object.entries(Object.fromEntries([...meta, ...plain])).filter(([, value]) => value !== '');
  if (merged.length > MAX_LABELS)
    throw new SourceError(`${subject} has ${merged.length} labels; expected at most ${MAX_LABELS}`);
  for (const [name, value] of merged) checkLabel(name, value, subject);
  return Object.fromEntries(merged);
}

/** Checks that `value` is a mapping of label names to texts. Throws `SourceError` if it is not. */
export function checkLabels(value: unknown, subject: string): TargetLabels {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMapping || !Object.values(value).every(text => typeof text === 'string'))
    throw new SourceError(`${subject} has invalid labels; expected a mapping of names to texts`);
  return value as TargetLabels;
}

function checkLabel(name: string, value: string, subject: string): void {
  const shown = JSON.stringify(name.slice(0, MAX_SHOWN_CHARACTERS));
  if (!LABEL_NAME.test(name) || name.length > MAX_NAME_CHARACTERS)
    throw new SourceError(
      `${subject} has the invalid label name ${shown}; expected letters, digits and underscores, not beginning with a digit`,
    );
  if (value.length > MAX_VALUE_CHARACTERS)
    throw new SourceError(
      `${subject}: the value of label ${shown} has ${value.length} characters; expected at most ${MAX_VALUE_CHARACTERS}`,
    );
  if (/\p{Cc}|\p{Cs}/u.test(value))
    throw new SourceError(
      `${subject}: the value of label ${shown} contains a control character; expected a single line of text`,
    );
}
