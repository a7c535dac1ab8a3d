import Type from 'typebox';
import { limits } from '../limits.ts';
import { NO_DOT_SEGMENT, URI_WORD, UUID } from '../patterns.ts';

/** Address of the API in examples; a document has the address of its deployment instead. */
export const EXAMPLE_BASE_URL = 'https://chat.example.com';

/** An id of this example in every document, so that examples agree with each other. */
export const EXAMPLE = {
  app: '01990000-0000-7000-8000-000000000001',
  provider: '01990000-0000-7000-8000-000000000002',
  key: '01990000-0000-7000-8000-000000000003',
  conversation: '01990000-0000-7000-8000-00000000000c',
  message: '01990000-0000-7000-8000-00000000000d',
  part: '01990000-0000-7000-8000-00000000000e',
  content: '01990000-0000-7000-8000-00000000000f',
  announcement: '01990000-0000-7000-8000-000000000010',
  webhook: '01990000-0000-7000-8000-000000000011',
  delivery: '01990000-0000-7000-8000-000000000012',
  export: '01990000-0000-7000-8000-000000000013',
  event: '01990000-0000-7000-8000-000000000014',
  reaction: '01990000-0000-7000-8000-000000000015',
} as const;

/** The URI of a record, as answers show it. `svc` stands for the deployment's wire name. */
export function uri(kind: string, description: string) {
  return Type.String({ pattern: `^svc:///${kind}/${UUID}$`, description });
}

/** Schema of an id in a request: the URI, or the bare UUID. */
export function idInput(kind: string, description: string) {
  return Type.String({
    pattern: `^(svc:///${kind}/)?${UUID}$`,
    description: `${description} The URI or the bare UUID.`,
  });
}

/** The URI of a user's identity: the user id percent-encoded. */
export function identityUri(description: string) {
  return Type.String({ pattern: '^svc:///identities/.+$', description, examples: ['svc:///identities/ada'] });
}

const BARE_USER_ID = `(?!${URI_WORD}:///)[^\\u0000-\\u001f\\u007f-\\u009f]{1,${limits.userId}}`;

/** The id of a new user. */
export const NEW_USER_ID = `^${NO_DOT_SEGMENT}${BARE_USER_ID}$`;

/** Schema of a user in a request: the URI of the identity, or the bare user id. */
export function identityInput(description: string) {
  return Type.String({
    pattern: `^(svc:///identities/.+|${BARE_USER_ID})$`,
    description: `${description} The URI of the identity or the bare user id.`,
    examples: ['ada', 'svc:///identities/bob'],
  });
}

/**
 * Schema of a property with a name for each user: the name, and the user id, where a dot is written with a backslash before it.
 * `uri`: or the URI of the identity, in which a dot is `%2E`.
 */
export function userProperty(name: string, description: string, { uri: withUri = false } = {}) {
  const character = '[^\\u0000-\\u001f\\u007f-\\u009f.\\\\]';
  const userId = `(?!${URI_WORD}:///)(${character}|\\\\\\.){1,${limits.userId}}`;
  const identity = 'svc:///identities/([A-Za-z0-9_~-]|%[2-6][0-9A-F])+';
  return Type.String({
    pattern: `^${name}\\.(${withUri ? `${identity}|` : ''}${userId})$`,
    description: `${description} A dot within the user id is written \`\\.\`.`,
    examples: [`${name}.bob`],
  });
}

/** An address of the platform. */
export function url(description: string) {
  return Type.String({ format: 'uri', description });
}
