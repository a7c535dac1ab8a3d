import { encoded, pathOf } from '../path.ts';
import type { Context } from '../sync/context.ts';
import { identityUri } from '../sync/records.ts';
import { transact } from '../sync/transact.ts';
import type { Client, PushRegistration, Relation } from './client.ts';

const DEVICE = 'push_device';
const PAGE_SIZE = 500;

/** Following, or blocks. */
export function relation(
  context: () => Promise<Context>,
  request: Client['request'],
  paths: { list: string; one: string; isPaged: boolean },
): Relation {
  const change = async (method: 'PUT' | 'DELETE', userId: string): Promise<void> => {
    const { wire } = await context();
    await request(method, pathOf(paths.one, wire, userId));
  };
  return {
    async list() {
      const { wire } = await context();
      const all: string[] = [];
      for (let from = ''; ;) {
        const page = (await request('GET', `${paths.list}?page_size=${PAGE_SIZE}${from}`)) as unknown[];
        const ids = page.map(userIdOf);
        all.push(...ids);
        if (!paths.isPaged || page.length < PAGE_SIZE) return all;
        from = `&from_id=${encoded(identityUri(wire, ids.at(-1) ?? ''))}`;
      }
    },
    add: (userId) => change('PUT', userId),
    remove: (userId) => change('DELETE', userId),
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
      await transact(await context(), (draft) => draft.setValue(DEVICE, device_id));
    },
    async unregister() {
      const ctx = await context();
      const device = ctx.base.values.get(DEVICE) as string | undefined;
      if (device === undefined) return;
      await request('DELETE', pathOf('/push_tokens/*', ctx.wire, device));
      await transact(ctx, (draft) => draft.setValue(DEVICE, undefined));
    },
  };
}
