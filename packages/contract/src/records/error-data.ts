import Type, { type TSchema } from 'typebox';
import type { ErrorId } from '../errors.ts';
import { count, nullable, time } from '../schema/schema.ts';

const PROPERTY = Type.String({
  description: 'The property, such as `parts.0.body`.',
  examples: ['parts.0.body'],
});
const HEADER = Type.String({ description: 'The header.', examples: ['Accept'] });
const RETRY = count('Seconds after which another attempt may succeed; also in `Retry-After`.', 1);

const ACCEPTED = Type.Array(Type.String(), {
  description: 'The values that are accepted, where there are only certain ones.',
  examples: [['created_at', 'last_message']],
});
const LIMIT = count('The greatest number or depth.');
const SCHEMES = Type.Array(Type.String(), {
  description: 'The schemes of Authorization of which one is expected.',
  examples: [['Bearer']],
});
/** Keys of what the policy of a conversation forbids. */
const REFUSAL = {
  reason: Type.String({ description: 'The rule or setting that forbids the action.', examples: ['role'] }),
  action: Type.String({ description: 'The action that was needed.', examples: ['send'] }),
  until: nullable(time('When a mute ends; null: it has no end.')),
};
const PLACE = 'both from 1, in the text as it was sent.';

/** Schemas of an error's `data`, by the id of the error; `data` of other errors is null. */
export const ERROR_DATA: Readonly<Partial<Record<ErrorId, TSchema>>> = {
  access_denied: data({ header: HEADER, ...REFUSAL }),
  authentication_required: data({ schemes: SCHEMES }),
  conflict: data({ header: HEADER, retry_after_seconds: RETRY }),
  invalid_header: data({ header: HEADER, accepted: ACCEPTED }),
  invalid_operation: data({ property: PROPERTY, limit: LIMIT }),
  invalid_property: data({
    property: PROPERTY,
    header: HEADER,
    accepted: ACCEPTED,
    reason: Type.String({
      description: 'Which rule an identity token breaks.',
      examples: ['eit_nonce_not_found'],
    }),
  }),
  invalid_request: data({
    property: PROPERTY,
    header: HEADER,
    accepted: ACCEPTED,
    line: count(`The line of the first character at fault; line and column are ${PLACE}`, 1),
    column: count('Its column, in UTF-16 code units.', 1),
    limit: LIMIT,
  }),
  invalid_request_id: data({ property: PROPERTY, header: HEADER }),
  missing_property: data({ property: PROPERTY, header: HEADER }),
  not_found: data({
    kind: Type.String({ description: 'What is missing.', examples: ['conversation'] }),
    id: nullable(
      Type.String({ description: 'Its URI, or its id as the request has it; null for a secret.' }),
    ),
    property: PROPERTY,
  }),
  participant_blocked: data({ property: PROPERTY }),
  permission_denied: data(REFUSAL),
  quota_exceeded: data({
    quota: Type.String({ description: 'The exhausted quota.', examples: ['unreferenced_bytes_of_user'] }),
    limit: count('The most that it allows.'),
    resets_at: nullable(
      time('When it is granted anew; null for a quota of what exists, which has room when less exists.'),
    ),
  }),
  rate_limit_exceeded: data({
    policy: Type.String({ description: 'The exhausted limit.', examples: ['session'] }),
    retry_after_seconds: RETRY,
  }),
  service_unavailable: data({ retry_after_seconds: RETRY }),
};

/** The `data` of a 401 to a client. */
export const NONCE_DATA = Type.Object(
  {
    schemes: Type.Optional(SCHEMES),
    nonce: nullable(
      Type.String({
        description: 'For the identity token of the next login; null when none could be issued.',
      }),
    ),
  },
  { description: 'What a client needs to log in at once.' },
);

function data(properties: Record<string, TSchema>): TSchema {
  const optional = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)] as const);
  return nullable(Type.Object(Object.fromEntries(optional), { description: 'Details.' }));
}
