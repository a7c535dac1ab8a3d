import { wireNameOf, type AppIds } from '../../api/app-ids.ts';
import { appToken } from '../../api/app-token.ts';
import { pathTo } from '../../api/path.ts';
import type { Login } from './demonstration-login.ts';

/** For whom the playground sends requests. */
export type Caller = {
  about: string;
  methods: readonly string[];
  /** Path of the first request. */
  examplePath: string;
  /** Headers that say who calls, and for which API. */
  headersOf(method: string, pathname: string): Promise<Record<string, string>>;
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Sends requests of the client API. */
export function userCaller({ token, user, wire }: Login): Caller {
  return {
    about: `Of the client API, as ${user}.`,
    methods: METHODS,
    examplePath: '/conversations',
    headersOf: () =>
      Promise.resolve({
        accept: `application/vnd.${wire}+json; version=3.0`,
        authorization: `${wire} session-token="${token}"`,
      }),
  };
}

/** Sends requests of the server API of one application, with a token of five minutes. */
export function serverCaller(app: AppIds, mayWrite: boolean): Caller {
  const wire = wireNameOf(app);
  const root = pathTo`/apps/${app.appUuid}`;
  return {
    about: 'Of the server API, as a server of the application.',
    methods: mayWrite ? METHODS : ['GET'],
    examplePath: `${root}${mayWrite ? '/conversations' : '/webhooks'}`,
    async headersOf(method, pathname) {
      const isOfWebhooks = pathname.startsWith(`${root}/webhooks`);
      return {
        accept: `application/vnd.${wire}${isOfWebhooks ? '.webhooks' : ''}+json; version=3.0`,
        authorization: `Bearer ${await appToken(app.appUuid, method === 'GET' ? 'read' : 'write')}`,
      };
    },
  };
}
