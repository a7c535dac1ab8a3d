import { parsePresence } from '@parley/domain/parse/presence';
import type { Handler, Route } from '../route.ts';

const choose: Handler = async (ctx, { appId, userId, body }) => {
  await ctx.presenceReporter.choose({ appId, userId }, parsePresence(body));
  return { status: 204 };
};

export const presence: Route[] = [
  { method: 'PUT', path: '/presence', auth: 'session', summary: 'Choose what to appear as', handle: choose },
];
