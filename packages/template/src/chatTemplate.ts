import { TemplateError } from './limits.ts';
import { formatTime } from './strftime.ts';
import { compileTemplate } from './template.ts';

/** A message of a conversation, as chat templates see it. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string;
  /** Calls of tools that the model has made, in the format of OpenAI. */
  readonly tool_calls?: readonly unknown[];
}

/** The chat template of a model. */
export interface ChatTemplate {
  /**
   * Returns the text that the model receives for a list of messages: with the roles, the marks between messages, and the
   * start of the next response. Throws `TemplateError` if the template fails, refuses the messages, or exceeds a limit.
   */
  render(messages: readonly ChatMessage[]): string;
}

/** Maximum cost of one evaluation. Templates look at all earlier messages again for each message. */
const MAX_STEPS = 1_000_000;

/**
 * Compiles a chat template in the format of the library `transformers`. `tokens` are the special tokens that it refers
 * to, such as `bos_token`. Throws `TemplateError` if the template is invalid.
 */
export function compileChatTemplate(
  source: string,
  tokens: Readonly<Record<string, string>> = {},
): ChatTemplate {
  const template = compileTemplate(source, { maxSteps: MAX_STEPS });
  return {
    render: messages =>
      template.render({
        ...tokens,
        messages,
        tools: null,
        documents: null,
        add_generation_prompt: true,
        raise_exception: refuse,
        strftime_now: (format: unknown) => formatTime(new Date(), String(format)),
      }),
  };
}

/** Ends an evaluation with the message of the template. */
function refuse(message: unknown): never {
  throw new TemplateError(String(message));
}
