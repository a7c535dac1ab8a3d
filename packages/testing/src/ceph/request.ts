import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

type Options = {
  method?: string;
  headers?: Record<string, string>;
  /** The authority of a server whose certificate is not a public one's. */
  ca: Buffer | undefined;
};

/** Sends a request without a body, and gives the status of the answer. */
export async function ask(url: string, options: Options): Promise<number | undefined> {
  const request = url.startsWith('https:') ? https.request(url, options) : http.request(url, options);
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
