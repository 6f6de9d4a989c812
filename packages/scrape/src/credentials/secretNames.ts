/** Words with which the name of a secret ends. */
const SECRET_ENDING =
  /^(?:key|sas|sig|signature|auth|authorization|credentials?|cookie|bearer|pwd|pat|[a-z0-9]*(?:api|access|secret|auth|private)keys?|[a-z0-9]*(?:token|secrets?|passwords?|passwd|passphrase))$/;
/** Words that make the whole name one of a secret, wherever they stand. */
const SECRET_WORD = /^[a-z0-9]*(?:secret|password|passwd|passphrase)$/;
/** Names that end like this tell where a secret is, or something about it. */
const ABOUT_SECRETS =
  /^(?:files?|paths?|dir|directory|name|arn|id|type|kind|mode|length|len|count|policy|method|url|uri|env|var|manager|store|provider|version)$/;
/** Keys and tokens of other kinds: `--sort-key`, `--eos-token`, `--time-per-output-token`, `--no-auth`. */
const OTHER_KEY =
  /^(?:.*-)?(?:sort|primary|foreign|partition|group|row|column|cache|label|metric|metrics|dict|json|prompt|text|image|column|shard|routing|idempotency)-key$/;
const OTHER_TOKEN =
  /^(?:.*-)?(?:pad|padding|eos|bos|unk|sep|cls|mask|stop|end|start|special|image|audio|per|input|output|prompt|first|last|next|max|min|num|new|inter|think|reasoning)-token$/;
const SWITCH = /^(?:no|use|enable|disable|require|with|without|skip)-/;

/**
 * Whether an option, a variable, a header, a member or a query parameter of this name carries a secret, to judge by the
 * name: `--openai-api-key`, `AWS_SECRET_ACCESS_KEY`, `clientSecret`, but neither `--tokenizer` nor `--key-file`.
 */
export function isSecretName(name: string): boolean {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (OTHER_KEY.test(plain) || OTHER_TOKEN.test(plain) || SWITCH.test(plain)) return false;
  const words = plain.split('-');
  const last = words.at(-1)!;
  if (ABOUT_SECRETS.test(last)) return false;
  return (
    SECRET_ENDING.test(last) ||
    /(?:^|-)(?:api|access|secret|auth)-keys$/.test(plain) ||
    words.some(word => SECRET_WORD.test(word))
  );
}
