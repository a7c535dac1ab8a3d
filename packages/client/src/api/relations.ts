import { pathTo } from '../path.ts';
import { uuid7 } from '../uuid.ts';
import { valueOf } from '../records/in-memory.ts';
import type { Context } from '../sync/context.ts';
import { pagePath } from '../sync/page-path.ts';
import { transact } from '../sync/transact.ts';
import type { Client, PushRegistration, Relation } from './client.ts';

const DEVICE = 'push_device';
const PAGE_SIZE = 500;

/** `Client.request` with a typed answer. */
export type Request = <T>(...given: Parameters<Client['request']>) => Promise<T>;

/** Following, or blocks. */
export function relation(request: Request, paths: { list: string; one: string; isPaged: boolean }): Relation {
  const change = (method: 'PUT' | 'DELETE', userId: string): Promise<void> =>
    request(method, paths.one + pathTo`/${userId}`).then(() => undefined);
  return {
    async list() {
      const all: string[] = [];
      for (let from: string | undefined; ;) {
        const page = await request<Listed[]>('GET', pagePath(paths.list, PAGE_SIZE, from));
        const ids = page.map(userIdOf);
        all.push(...ids);
        if (!paths.isPaged || page.length < PAGE_SIZE) return all;
        from = ids.at(-1);
      }
    },
    add: async (userId) => change('PUT', userId),
    remove: async (userId) => change('DELETE', userId),
  };
}

type Listed = string | { readonly user_id: string };

function userIdOf(item: Listed): string {
  return typeof item === 'string' ? item : item.user_id;
}

/** Pushes to this device, whose id is stored so that `logout` finds it. */
export function createPush(context: () => Promise<Context>, request: Request): Client['push'] {
  return {
    async register({ deviceId, ...rest }: PushRegistration) {
      const ctx = await context();
      const device = deviceId ?? valueOf(ctx.records, DEVICE) ?? `device-${uuid7()}`;
      // First, so that a crash in between leaves no registration that nothing ends.
      await transact(ctx, undefined, (batch) => batch.setValue(DEVICE, device));
      await request('POST', '/push_tokens', { body: { ...rest, device_id: device } });
    },
    async unregister() {
      const ctx = await context();
      const device = valueOf(ctx.records, DEVICE);
      if (device === undefined) return;
      await request('DELETE', pathTo`/push_tokens/${device}`);
      await transact(ctx, undefined, (batch) => batch.setValue(DEVICE, undefined));
    },
  };
}
