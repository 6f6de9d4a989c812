import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeByteLevelTokenizer, UNKNOWN_TOKEN } from '../support/byteLevelTokenizer.ts';

/**
 * Writes a tokenizer into a folder, in the format of Hugging Face: each byte of a text is a token. AIPerf and Servelens
 * both read it, so that they count the same tokens without downloads.
 */
export function writeTokenizer(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const configuration = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    unk_token: UNKNOWN_TOKEN,
    model_max_length: 100_000,
    chat_template:
      "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}",
  };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(describeByteLevelTokenizer()));
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(configuration));
}
