import { InputError } from '../input/inputError.ts';
import { detectContent } from './autoDetect.ts';
import type { Endpoint } from './endpoint.ts';

/** An API whose bodies are recorded in the input file. Responses are parsed by their form. */
export const raw: Endpoint = {
  name: 'raw',
  path: '',
  canStream: true,
  generatesText: true,
  sendsHistory: false,
  acceptsPlainText: true,
  media: ['images', 'audios', 'videos'],
  promptFields: [],
  limitFields: [],
  buildBody() {
    throw new InputError(
      'the API raw sends only recorded bodies; expected an input file of the type raw_payload or inputs_json',
    );
  },
  parseChunk: detectContent,
  parseResponse: detectContent,
};

/** An API whose bodies are rendered by a template, which `applyFormat` adds. */
export const template: Endpoint = { ...raw, name: 'template' };

/** The bodies and responses of an API that Servelens does not know. */
export interface CustomFormat {
  /** Jinja template of the body, which renders JSON. */
  readonly template?: string;
  /** JMESPath query for the text, the vectors or the scores in a response; detected by default. */
  readonly responseField?: string;
}
