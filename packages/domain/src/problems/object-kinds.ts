import type { UriKind } from '../wire.ts';

type Row = { message: string; uri?: UriKind };

/** Kinds of objects for not_found. `uri`: the kind has URIs as ids. */
export const objectKinds = {
  access_token: { message: 'There is no such access token.', uri: 'access_tokens' },
  announcement: { message: 'There is no such announcement.', uri: 'announcements' },
  app: { message: 'There is no such application, or the token is not one of its access tokens.' },
  content: { message: 'There is no such content.', uri: 'content' },
  conversation: { message: 'There is no such conversation.', uri: 'conversations' },
  delivery: { message: 'There is no such delivery of the webhook.' },
  export: { message: 'There is no such export.', uri: 'exports' },
  export_key: { message: 'No public key for exports is registered.' },
  follow: { message: 'The user is not followed.', uri: 'identities' },
  identity: { message: 'There is no such user.', uri: 'identities' },
  key: { message: 'There is no such key.', uri: 'keys' },
  message: { message: 'There is no such message.', uri: 'messages' },
  part: { message: 'There is no such part of the message.' },
  provider: { message: 'There is no such provider.', uri: 'providers' },
  scheduled_message: {
    message: 'There is no such scheduled message; it may have been sent or cancelled.',
    uri: 'messages',
  },
  session: { message: 'There is no such session of the user.' },
  upload: { message: 'There is no such upload; it may be complete or have expired.' },
  webhook: { message: 'There is no such webhook.' },
} as const satisfies Record<string, Row>;

export type ObjectKind = keyof typeof objectKinds;

/** The kinds whose ids are URIs. */
export function uriKindOf(kind: unknown): UriKind | undefined {
  if (typeof kind !== 'string' || !Object.hasOwn(objectKinds, kind)) return undefined;
  const row: Row = objectKinds[kind as ObjectKind];
  return row.uri;
}
