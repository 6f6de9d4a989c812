/**
 * Headers that say how a message is sent, which is the connection's business: a request that brings its own is never sent, or never
 * ends. https://www.rfc-editor.org/rfc/rfc9110#name-connection
 */
const OF_THE_CONNECTION = ['content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** What speaks against sending a header of that name with every request; undefined when nothing does. */
export function headerProblem(name: string): string | undefined {
  if (!OF_THE_CONNECTION.includes(name.toLowerCase())) return undefined;
  return `is ${name}, which the connection has to say; expected none of ${OF_THE_CONNECTION.join(', ')}`;
}
