import type { ChatMessage, ChatTemplate } from '@org/template';
import type { ChatInput } from '../endpoint/chatInput.ts';
import { readChatTemplate } from './chatTemplateFile.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Number of tokens of a request with the chat template, or the reason why the template cannot be applied. */
export type ChatCount = { readonly tokens: number } | { readonly problem: string };

/** Counts the tokens of the input of requests with the chat template of a tokenizer. */
export type ChatCounter = (input: ChatInput) => ChatCount;

/** Opens the counter of a tokenizer. `name` is its name, as for `openTokenizer`. Never rejects. */
export async function openChatCounter(name: string, tokenizer: Tokenizer): Promise<ChatCounter> {
  const template = await openTemplate(name);
  if (typeof template === 'string') return () => ({ problem: template });
  return ({ messages, toolTexts }) => {
    try {
      const texts = [template.render(messages), ...toolTexts];
      return { tokens: texts.reduce((sum, text) => sum + tokenizer.count(text), 0) };
    } catch (error) {
      return { problem: describeProblem(error) };
    }
  };
}

/** The tokens that a chat template adds to the texts of messages. */
export interface TemplateTokens {
  /** Tokens of each request, such as those that begin the response. */
  readonly request: number;
  /** Tokens of each message, such as those of its role. */
  readonly message: number;
}

const NO_TOKENS: TemplateTokens = { request: 0, message: 0 };

/** Texts whose tokens depend little on what precedes or follows them. Their results are averaged. */
const SAMPLES: readonly string[] = [
  'Good morning, can you help me?',
  'Please explain what a hash table is, and when to use one.',
  'Which of these two sorting algorithms needs less memory?',
];

/**
 * Measures the tokens that the chat template of a tokenizer adds, as the mean of users' and assistants' messages. Returns 0
 * tokens if the tokenizer has no template, or one that cannot be applied.
 */
export async function measureTemplate(name: string, tokenizer: Tokenizer): Promise<TemplateTokens> {
  const template = await openTemplate(name);
  if (typeof template === 'string') return NO_TOKENS;
  try {
    const samples = SAMPLES.map(text => measureSample(text, template, tokenizer));
    if (samples.some(({ request, message }) => request < 0 || message < 0)) return NO_TOKENS;
    const mean = (read: (tokens: TemplateTokens) => number): number =>
      roundHalfToEven(samples.reduce((sum, sample) => sum + read(sample), 0) / samples.length);
    return { request: mean(({ request }) => request), message: mean(({ message }) => message) };
  } catch {
    return NO_TOKENS;
  }
}

/** Rounds like Python, so that prompts are as long as those of AIPerf: the roles of users and assistants often differ by a half. */
function roundHalfToEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** Compares a conversation of one message with one of three. */
function measureSample(text: string, template: ChatTemplate, tokenizer: Tokenizer): TemplateTokens {
  const say = (role: string): ChatMessage => ({ role, content: text });
  const [one, three] = [[say('user')], [say('user'), say('assistant'), say('user')]].map(messages =>
    tokenizer.count(template.render(messages)),
  );
  const bare = tokenizer.count(text);
  const message = (three! - one!) / 2 - bare;
  return { message, request: one! - bare - message };
}

/** Opens the chat template of a tokenizer. Resolves with a problem if the template is missing or invalid. */
async function openTemplate(name: string): Promise<ChatTemplate | string> {
  const file = await readChatTemplate(name);
  if (file === undefined) return 'the tokenizer has no chat template';
  // Most runs need no templates.
  const { compileChatTemplate } = await import('@org/template');
  try {
    return compileChatTemplate(file.source, file.tokens);
  } catch (error) {
    return describeProblem(error);
  }
}

function describeProblem(error: unknown): string {
  return `the chat template failed: ${error instanceof Error ? error.message : String(error)}`;
}
