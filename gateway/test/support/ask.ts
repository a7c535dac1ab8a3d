import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: Record<string, unknown>;
};
type Asked = { headers?: Record<string, string | undefined>; body?: string };

/** Sends headers as they are, unlike fetch. */
export async function ask(method: string, url: string, { headers = {}, body }: Asked = {}): Promise<Answer> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const request = send(url, { method, headers: Object.fromEntries(given) });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject).end(body);
  });
  const text = await textOf(response);
  const isJson = response.headers['content-type']?.startsWith('application/json');
  const json = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}
