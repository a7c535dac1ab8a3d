import type { IncomingMessage } from 'node:http';
import type { Input } from './actions.ts';

const LARGEST_BODY_BYTES = 64 * 1024;

/**
 * The texts of the query and of a JSON body; other values are ignored. A plus sign in the query stays, since a nonce may contain it.
 * Undefined if the body is no JSON object, or too large.
 */
export async function readInput(request: IncomingMessage, search = ''): Promise<Input | undefined> {
  const query = Object.fromEntries(new URLSearchParams(search.replaceAll('+', '%2B')));
  const body = await readBody(request);
  if (body === '') return query;
  const given = body === undefined ? undefined : parseObject(body);
  if (!given) return undefined;
  const texts = Object.entries(given).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { ...query, ...Object.fromEntries(texts) };
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const body = Buffer.allocUnsafe(LARGEST_BODY_BYTES);
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size + chunk.length > LARGEST_BODY_BYTES) return undefined;
    size += chunk.copy(body, size);
  }
  return body.toString('utf8', 0, size);
}

function parseObject(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
