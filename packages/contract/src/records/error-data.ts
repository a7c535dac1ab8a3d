import Type, { type TSchema } from 'typebox';
import type { ErrorId } from '../errors.ts';
import { count, nullable } from '../schema/schema.ts';

const PROPERTY = Type.String({
  description: 'The property, such as `parts.0.body`.',
  examples: ['parts.0.body'],
});
const HEADER = Type.String({ description: 'The header.', examples: ['Accept'] });
const RETRY = count('Seconds after which another attempt may succeed; also in `Retry-After`.', 1);

/** What `data` of an error may hold, by the id of the error; null for the others. */
export const ERROR_DATA: Readonly<Partial<Record<ErrorId, TSchema>>> = {
  access_denied: data({ header: HEADER }),
  conflict: data({ header: HEADER }),
  invalid_header: data({ header: HEADER }),
  invalid_operation: data({ property: PROPERTY, limit: count('The largest number allowed.') }),
  invalid_property: data({
    property: PROPERTY,
    header: HEADER,
    reason: Type.String({
      description: 'Which rule an identity token breaks.',
      examples: ['eit_nonce_not_found'],
    }),
  }),
  missing_property: data({ property: PROPERTY }),
  rate_limit_exceeded: data({
    policy: Type.String({ description: 'The exhausted limit.', examples: ['session'] }),
    retry_after_seconds: RETRY,
  }),
  service_unavailable: data({ retry_after_seconds: RETRY }),
};

/** Of a 401 to a client. */
export const NONCE_DATA = Type.Object(
  {
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
