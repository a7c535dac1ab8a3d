import { LRUCache } from 'lru-cache';
import type { Client } from '@connectrpc/connect';
import { fail } from '@parley/domain/problems';
import type { Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';

/** A request with an access token: the path of its route, and its own path below that of the application. */
export type ContentRead = { caller: Caller; route: string; path: string };

/** Asks whether a person of the console may read messages, and notes in the audit log that they do. */
export type ContentReads = {
  /** Does nothing for servers of the application, and for routes that show no messages. Problems: access_denied, those of the note. */
  admit(read: ContentRead): Promise<void>;
};

/** Routes whose answers hold no messages; every other one counts as if it did. */
const WITHOUT_MESSAGES =
  /^\/apps\/:app_uuid(\/users\/:(user_id|owner_user_id)(\/(badge|identity|identities|blocks|sessions|following(\/:user_id)?))?|\/webhooks(\/:webhook_id(\/(activate|deactivate|rotate_secret|test|deliveries))?)?|\/exports(\/:export_id(\/status)?)?|\/export_security|\/export_schedule)?$/;

/** Of a token and a path: a token lives for five minutes, in which one entry says it all. */
const MAX_NOTED = 10_000;
const NOTED_MS = 600_000;
/** A subject of the audit log. */
const MAX_SUBJECT = 512;

export function createContentReads(access: Client<typeof ConsoleService>): ContentReads {
  const noted = new LRUCache<string, true>({ max: MAX_NOTED, ttl: NOTED_MS });
  return {
    async admit({ caller, route, path }) {
      if (caller.actorSubject === undefined || showsNoMessages(route)) return;
      if (caller.withoutContent)
        fail('access_denied', { message: 'The role does not allow to read messages.' });
      const key = `${caller.id} ${path}`;
      if (noted.has(key)) return;
      await access.recordContentRead({ appId: caller.appId, subject: path.slice(0, MAX_SUBJECT) });
      noted.set(key, true);
    },
  };
}

export function showsNoMessages(route: string): boolean {
  return WITHOUT_MESSAGES.test(route);
}
