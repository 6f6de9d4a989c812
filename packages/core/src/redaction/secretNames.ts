/** Last words of names that hold a secret. */
const SECRET_ENDING =
  /^(?:key|sas|sig|signature|auth|authorization|credentials?|cookie|bearer|pwd|pat|[a-z0-9]*(?:api|access|secret|auth|private)keys?|[a-z0-9]*(?:token|secrets?|passwords?|passwd|passphrase))$/;
/** Words that indicate a secret anywhere in a name. */
const SECRET_WORD = /^[a-z0-9]*(?:secret|password|passwd|passphrase)$/;
/** Last words of names that describe or locate a secret, but do not hold it. */
const SECRET_METADATA =
  /^(?:files?|paths?|dir|directory|name|arn|id|type|kind|mode|length|len|count|policy|method|url|uri|env|var|manager|store|provider|version)$/;
/**
 * Names of keys, tokens and flags that are not secrets: `--sort-key`, `--eos-token`,
 * `--time-per-output-token`, `--no-auth`.
 */
const OTHER_KEY =
  /^(?:.*-)?(?:sort|primary|foreign|partition|group|row|column|cache|label|metric|metrics|dict|json|prompt|text|image|column|shard|routing|idempotency)-key$/;
const OTHER_TOKEN =
  /^(?:.*-)?(?:pad|padding|eos|bos|unk|sep|cls|mask|stop|end|start|special|image|audio|per|input|output|prompt|first|last|next|max|min|num|new|inter|think|reasoning)-token$/;
const FLAG = /^(?:no|use|enable|disable|require|with|without|skip)-/;

/**
 * Reports whether the name of an option, variable, header, JSON member or query parameter suggests a secret
 * value: true for `--openai-api-key`, `AWS_SECRET_ACCESS_KEY` and `clientSecret`, false for `--tokenizer` and
 * `--key-file`.
 */
export function isSecretName(name: string): boolean {
  const kebab = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (OTHER_KEY.test(kebab) || OTHER_TOKEN.test(kebab) || FLAG.test(kebab)) return false;
  const words = kebab.split('-');
  const last = words.at(-1)!;
  if (SECRET_METADATA.test(last)) return false;
  return (
    SECRET_ENDING.test(last) ||
    /(?:^|-)(?:api|access|secret|auth)-keys$/.test(kebab) ||
    words.some(word => SECRET_WORD.test(word))
  );
}
