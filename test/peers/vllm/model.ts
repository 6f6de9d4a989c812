import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeByteLevelTokenizer, UNKNOWN_TOKEN } from '../support/byteLevelTokenizer.ts';

const HIDDEN_SIZE = 128;
const HEADS = 4;
const VOCABULARY_SIZE = 8000;
const CONTEXT_LENGTH = 4096;

/** A model with two layers. It has no end token, so that every response has the requested length. */
const MODEL_CONFIG = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  dtype: 'float32',
  hidden_act: 'silu',
  hidden_size: HIDDEN_SIZE,
  intermediate_size: 2 * HIDDEN_SIZE,
  num_hidden_layers: 2,
  num_attention_heads: HEADS,
  num_key_value_heads: HEADS,
  max_position_embeddings: CONTEXT_LENGTH,
  rms_norm_eps: 1e-5,
  vocab_size: VOCABULARY_SIZE,
  tie_word_embeddings: false,
  bos_token_id: null,
  eos_token_id: null,
};

const TOKENIZER_CONFIG = {
  tokenizer_class: 'PreTrainedTokenizerFast',
  unk_token: UNKNOWN_TOKEN,
  model_max_length: CONTEXT_LENGTH,
  chat_template:
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}",
};

/** Writes the folder of a model without weights, which vLLM fills with random values. */
export function writeModel(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = {
    'config.json': MODEL_CONFIG,
    'tokenizer.json': describeByteLevelTokenizer(VOCABULARY_SIZE),
    'tokenizer_config.json': TOKENIZER_CONFIG,
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
}
