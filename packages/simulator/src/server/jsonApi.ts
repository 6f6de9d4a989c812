import type { IncomingMessage, ServerResponse } from 'node:http';

/** An error response in the format of OpenAI's API. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;

  constructor(status: number, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.type = ERROR_TYPES[status] ?? 'InternalServerError';
    this.param = param;
  }
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  413: 'RequestTooLargeError',
};

/** Sends a JSON response. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  // Set separately, so that `getHeader` can read them for the response size metric.
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
}

/** Sends an error response in the format of OpenAI's API. */
export function sendError(response: ServerResponse, { status, message, type, param }: ApiError): void {
  sendJson(response, status, { error: { message, type, param, code: status } });
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Reads a request body as a JSON object. Throws ApiError if the body is invalid or larger than 32 MiB. */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) throw new ApiError(413, `the body exceeds ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  const value = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(400, 'the body is not a JSON object');
  }
  return value as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(400, `the body is not valid JSON: ${(error as Error).message}`);
  }
}
