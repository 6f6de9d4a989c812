import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Inputs } from './conversation.ts';
import { type FileOptions, fileInputs } from './fileInputs.ts';
import { type SyntheticOptions, syntheticInputs } from './syntheticInputs.ts';
import { type TraceOptions, traceInputs } from './traceInputs.ts';

/** What inputs are, as data: it can be handed to another thread, which opens them for itself. */
export type InputsDescription =
  | ({ readonly kind: 'synthetic' } & Omit<SyntheticOptions, 'tokenizer'>)
  | ({ readonly kind: 'file'; readonly path: string } & FileOptions)
  | ({ readonly kind: 'trace'; readonly path: string } & Omit<TraceOptions, 'tokenizer'>);

/** Opens inputs. The tokenizer counts what is written for them. Rejects as the function of their kind does. */
export async function openInputs(description: InputsDescription, tokenizer?: Tokenizer): Promise<Inputs> {
  const writes = tokenizer === undefined ? {} : { tokenizer };
  switch (description.kind) {
    case 'synthetic':
      return syntheticInputs({ ...description, ...writes });
    case 'file':
      return fileInputs(description.path, description);
    case 'trace':
      return traceInputs(description.path, { ...description, ...writes });
  }
}
