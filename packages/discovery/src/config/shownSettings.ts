import { redactUrl } from '@org/core';
import { formatShown, type Path } from '@org/terminal/userFile';
import { redactSource } from '../sources/sourceSpec.ts';

/** Settings whose values are shown in messages. Values of other settings may be secrets. */
const PUBLIC_SETTING =
  /^(?:interval|timeout|compressed|insecure|ca_file|cert_file|key_file|\w+_token_file|password_file|basic_auth_file|\w+_bytes|samples|labels|username|servers|mode|label_selector|namespace|timeout_seconds|refresh|wait|optional|annotations|monitors|proxy|kubeconfig|context)$/;

/** Formats a value of a configuration for a message if it cannot be a secret, otherwise its type. */
export function formatScalar(path: Path, value: unknown): string {
  const key = String(path.at(-1));
  if (key === 'url' || key === 'server') return JSON.stringify(redactUrl(String(value)));
  if (key === 'source') return JSON.stringify(redactSource(String(value)));
  if (PUBLIC_SETTING.test(key) && path.at(-2) !== 'headers') return formatShown(value);
  return typeof value === 'string' ? 'text (hidden)' : `a ${typeof value}`;
}
