import type { IncomingMessage, ServerResponse } from 'node:http';

/** An error that the client hears of, in the form of OpenAI's API. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;

  constructor(status: number, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.type = errorTypes[status] ?? 'InternalServerError';
    this.param = param;
  }
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  413: 'RequestTooLargeError',
};

/** Answers with JSON. */
export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  // Set one by one, so that the server's own counting of response sizes can look them up.
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
}

/** Answers with an error body as OpenAI's API and vLLM have it. */
export function replyError(response: ServerResponse, { status, message, type, param }: ApiError): void {
  replyJson(response, status, { error: { message, type, param, code: status } });
}

const longestBody = 32 * 1024 * 1024;

/** Reads a request's body as a JSON object. Throws ApiError when it is none, or larger than 32 MiB. */
export async function readObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > longestBody) throw new ApiError(413, `the body is larger than ${longestBody} bytes`);
    chunks.push(chunk as Buffer);
  }
  const value = parse(Buffer.concat(chunks).toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(400, 'the body is not a JSON object');
  }
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(400, `the body is not JSON: ${(error as Error).message}`);
  }
}
