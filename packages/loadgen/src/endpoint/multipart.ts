import { randomUUID } from 'node:crypto';

/** A file in a form, as it is recorded in exports. */
export interface FilePart {
  /** Contents in Base64. */
  readonly b64_data: string;
  readonly filename: string;
  readonly content_type: string;
}

/** Creates a file in a form. */
export function createFilePart(data: string, filename: string, mediaType: string): FilePart {
  return { b64_data: data, filename, content_type: mediaType };
}

/** Separates the parts of all forms. Files do not contain it, because it is random. */
const BOUNDARY: string = randomUUID().replaceAll('-', '');

/** Content type of a form. */
export const FORM_TYPE: string = `multipart/form-data; boundary=${BOUNDARY}`;

/** Encodes fields as a form (RFC 7578). */
export function encodeForm(fields: Readonly<Record<string, unknown>>): Buffer {
  const parts = Object.entries(fields).flatMap(([name, value]) => [
    encodePart(name, value),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function encodePart(name: string, value: unknown): Buffer {
  if (!isFilePart(value)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return Buffer.concat([encodeHead('text/plain; charset=utf-8', name), Buffer.from(text)]);
  }
  return Buffer.concat([
    encodeHead(value.content_type, name, value.filename),
    Buffer.from(value.b64_data, 'base64'),
  ]);
}

function encodeHead(type: string, name: string, filename?: string): Buffer {
  const file = filename === undefined ? '' : `; filename="${escapeName(filename)}"`;
  return Buffer.from(
    `--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${file}\r\n\r\n`,
  );
}

function escapeName(name: string): string {
  return name.replace(/["\r\n]/g, character => encodeURIComponent(character));
}

function isFilePart(value: unknown): value is FilePart {
  return typeof value === 'object' && value !== null && 'b64_data' in value;
}
