import { servePushes, type PushWorker } from '@parley/client/web-push';
import { usersOf, windowOf } from './addresses.ts';

// The service worker of one user, who stands in its address: it shows their notifications, and opens the conversation at a click.
const USER = new URL(location.href).searchParams.get('user') ?? '';

servePushes(self as unknown as PushWorker, {
  title: 'Parley',
  url: ({ conversation_id }) => windowOf(USER, conversation_id),
  isPage: (url) => new URL(url).pathname.replace(/\/$/, '') === '/demo' && usersOf(url).includes(USER),
});
