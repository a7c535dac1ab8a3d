import type { ServerResponse } from 'node:http';
import type { Answer } from './route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends an answer with the headers that every answer has. Does nothing when the client is gone. */
export function writeAnswer(res: ServerResponse, answer: Answer, common: Record<string, string>): void {
  if (res.destroyed || res.writableEnded) return;
  const headers: Record<string, string | number> = { ...common };
  let text = answer.text;
  if (text === undefined && answer.body !== undefined) {
    text = JSON.stringify(answer.body);
    headers['content-type'] = JSON_TYPE;
  }
  if (text !== undefined) headers['content-length'] = Buffer.byteLength(text);
  else if (answer.status !== 204 && answer.status !== 304) headers['content-length'] = 0;
  res.writeHead(answer.status, Object.assign(headers, answer.headers));
  res.end(text);
}
