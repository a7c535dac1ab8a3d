import Type, { type TSchema } from 'typebox';
import { errors, type ErrorId } from '../errors.ts';
import { ERROR_DATA, NONCE_DATA } from '../records/error-data.ts';
import { url } from '../schema/ids.ts';
import { named, nullable } from '../schema/schema.ts';

const NO_DATA = nullable(Type.Object({}, { description: 'Details.' }));

/** The error of one id as every route answers it. */
export function errorSchema(id: ErrorId): TSchema {
  return named(`${pascalCase(id).replace(/Error$/, '')}Error`, withData(id, ERROR_DATA[id] ?? NO_DATA));
}

/** The error of one id with other data, for one operation. */
export function errorSchemaWith(id: ErrorId, data: TSchema): TSchema {
  return withData(id, data);
}

/** A 401 of the client API. */
export function refusedClient(): TSchema {
  return named('AuthenticationRequiredErrorWithNonce', withData('authentication_required', NONCE_DATA));
}

/** `rate_limit_exceeded` as `RateLimitExceeded`. */
export function pascalCase(id: string): string {
  return id.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function withData(id: ErrorId, data: TSchema): TSchema {
  const { code, message } = errors[id];
  return Type.Object(
    {
      id: Type.Enum([id], { type: 'string', description: 'The kind of error; programs decide by it.' }),
      code: Type.Enum([code], { type: 'integer', description: 'The number that stands for `id`.' }),
      message: Type.String({ description: 'For people; its wording may change.', examples: [message] }),
      url: url('Explains the error.'),
      data,
    },
    { description: message },
  );
}
