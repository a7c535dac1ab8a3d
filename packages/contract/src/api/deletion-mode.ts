import { oneOf } from '../schema/schema.ts';
import type { Parameter } from './operation.ts';

/** Parameter that says for whom a deletion removes something. */
export const DELETION_MODE: Parameter = {
  name: 'mode',
  in: 'query',
  schema: {
    ...oneOf(
      ['my_devices', 'all_participants'],
      '`my_devices` hides it from the user on all of their devices; `all_participants` deletes it for all participants.',
    ),
    default: 'my_devices',
  },
};
