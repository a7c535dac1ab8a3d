export const MEDIA_TYPE = 'application/vnd.svc+json; version=3.0';

export type Reply = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

export type Call = { headers?: Record<string, string | undefined>; body?: unknown; raw?: string };

/** One request with the usual Accept; a header given as undefined is left out. */
export async function call(
  method: string,
  url: string,
  { headers = {}, body, raw }: Call = {},
): Promise<Reply> {
  const all = Object.entries({ accept: MEDIA_TYPE, ...headers }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const payload = raw ?? (body === undefined ? null : JSON.stringify(body));
  const response = await fetch(url, { method, headers: all, body: payload });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const json = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, text, json };
}
