import Type, { type Static } from 'typebox';
import { errors } from '../errors.ts';
import { url } from '../schema/ids.ts';
import { named, nullable, oneOf } from '../schema/schema.ts';

export const ErrorRecord = named(
  'Error',
  Type.Object(
    {
      id: oneOf(Object.keys(errors), 'What kind of error this is; programs decide by it.'),
      code: Type.Integer({ description: 'The number that stands for `id`.' }),
      message: Type.String({ description: 'For people; its wording may change.' }),
      url: url('Explains the error.'),
      data: nullable(
        Type.Unsafe<Readonly<Record<string, unknown>>>(
          Type.Object({}, { description: 'Details, by the kind of error.' }),
        ),
      ),
    },
    { description: 'Why a request failed.' },
  ),
);
export type ErrorRecord = Static<typeof ErrorRecord>;
