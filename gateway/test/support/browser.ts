import { ask, type Answer } from './ask.ts';

/** A browser as far as cookies and redirects go. */
export type Browser = {
  /** Cookies by origin, by name. */
  cookies: Map<string, Map<string, string>>;
  /** One request, without following what it answers. */
  get(url: string): Promise<Answer>;
  /** Follows redirects until `until` is the beginning of the address, or there are none. The last address, and its answer if it was fetched. */
  follow(url: string, until?: string): Promise<{ url: string; answer: Answer | undefined }>;
};

const MAX_REDIRECTS = 20;

export function createBrowser(): Browser {
  const cookies: Browser['cookies'] = new Map();

  async function get(url: string): Promise<Answer> {
    const jar = cookies.get(new URL(url).origin) ?? new Map<string, string>();
    cookies.set(new URL(url).origin, jar);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await ask('GET', url, { headers: { accept: 'text/html', ...(cookie && { cookie }) } });
    for (const line of answer.headers['set-cookie'] ?? []) keep(jar, line);
    return answer;
  }

  async function follow(url: string, until?: string): Promise<{ url: string; answer: Answer | undefined }> {
    let next = url;
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      if (until !== undefined && next.startsWith(until)) return { url: next, answer: undefined };
      const answer = await get(next);
      const { location } = answer.headers;
      if (location === undefined) return { url: next, answer };
      next = new URL(location, next).href;
    }
    throw new Error(`${url} redirects without end`);
  }
  return { cookies, get, follow };
}

function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const isGone = /max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line);
  if (isGone || value === '') jar.delete(name);
  else jar.set(name, value);
}
