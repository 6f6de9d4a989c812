/** The starts of paths in `input_config`, and the words that replace them. The first match applies. */
const PREFIXES: readonly (readonly [path: RegExp, words: string])[] = [
  [/^datasets\.[^.]+\.prompts\.isl(?:\.mean)?(?:\.|$)/, 'input tokens '],
  [/^datasets\.[^.]+\.prompts\.osl(?:\.mean)?(?:\.|$)/, 'output tokens '],
  [/^datasets\.[^.]+\.prefix_prompts\.shared_system_length$/, 'tokens of the shared system prompt'],
  [/^datasets\.[^.]+\.(?=(?:prompts|prefix_prompts|turns|turn_delay)(?:[._]|$))/, ''],
  [/^models$/, 'model'],
  [/^datasets\.[^.]+\./, 'dataset '],
  [/^(?:phases\.\w+|endpoint|slos)\./, ''],
];

/** Names an option in words, such as `output tokens` for `datasets.main.prompts.osl.mean`. */
export function nameOption(path: string): string {
  const [pattern, words] = PREFIXES.find(([start]) => start.test(path)) ?? [/^/, ''];
  return path.replace(pattern, words).replace(/[._]/g, ' ').trim();
}
