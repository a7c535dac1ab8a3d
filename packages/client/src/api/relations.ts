import { pathTo } from '../path.ts';
import type { Context } from '../sync/context.ts';
import { transact } from '../sync/transact.ts';
import type { Client, PushRegistration, Relation } from './client.ts';

const DEVICE = 'push_device';
const PAGE_SIZE = 500;

/** Following, or blocks. */
export function relation(
  request: Client['request'],
  paths: { list: string; one: string; isPaged: boolean },
): Relation {
  const change = (method: 'PUT' | 'DELETE', userId: string): Promise<void> =>
    request(method, paths.one + pathTo`/${userId}`).then(() => undefined);
  return {
    async list() {
      const all: string[] = [];
      for (let from = ''; ;) {
        const page = (await request('GET', `${paths.list}?page_size=${PAGE_SIZE}${from}`)) as unknown[];
        const ids = page.map(userIdOf);
        all.push(...ids);
        if (!paths.isPaged || page.length < PAGE_SIZE) return all;
        from = `&from_id=${encodeURIComponent(ids.at(-1) ?? '')}`;
      }
    },
    add: async (userId) => change('PUT', userId),
    remove: async (userId) => change('DELETE', userId),
  };
}

function userIdOf(item: unknown): string {
  return typeof item === 'string' ? item : (item as { user_id: string }).user_id;
}

/** Pushes to this device, whose id is kept so that `logout` finds it. */
export function createPush(context: () => Promise<Context>, request: Client['request']): Client['push'] {
  return {
    async register({ deviceId: device_id, ...rest }: PushRegistration) {
      await request('POST', '/push_tokens', { body: { ...rest, device_id } });
      await transact(await context(), (batch) => batch.setValue(DEVICE, device_id));
    },
    async unregister() {
      const ctx = await context();
      const device = ctx.records.values.get(DEVICE) as string | undefined;
      if (device === undefined) return;
      await request('DELETE', pathTo`/push_tokens/${device}`);
      await transact(ctx, (batch) => batch.setValue(DEVICE, undefined));
    },
  };
}
