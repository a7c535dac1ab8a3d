import { createApp } from '../../support/app.ts';
import type { Answer } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';

/** A list of five items that nothing else changes. */
export type List = {
  /** Reads the address of a page. `query` begins with `&`. */
  read(query: string): Promise<Answer>;
  readAddress?(url: string): Promise<Answer>;
  /** Acts on the last item of the page that was just read, given its id. */
  disturbances: Record<string, (id: string) => Promise<unknown>>;
};

export async function five<T>(make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < 5; index++) made.push(await make(index));
  return made;
}

/** Users of an application of their own, all suspended or none of them, with a bot that the list leaves out. */
export async function users(suspended: boolean): Promise<List> {
  const other = await createApp(await platform());
  const suspend = (id: string, value: boolean) =>
    other.server('PATCH', `/users/${id}`, 202, {
      body: [{ operation: 'set', property: 'suspended', value }],
    });
  const add = async (id: string) => {
    await other.login(id);
    if (suspended) await suspend(id, true);
  };
  await five((index) => add(`m${index}`));
  await other.server('POST', '/users/m2bot/identity', 201, { body: { type: 'bot', display_name: 'Bot' } });
  let before = 0;
  return {
    read: (query) => other.server('GET', `/users?type=user&suspended=${suspended}${query}`, 200),
    disturbances: {
      'sees erased': (id) => other.server('DELETE', `/users/${id}`, 202),
      'sees changed': (id) => suspend(id, !suspended),
      'has another before': () => add(`a${before++}`),
    },
  };
}
