import { fail } from './problem.ts';

export type Excess = {
  /** The public name of the counted records. */
  property: string;
  /** Largest allowed number. */
  limit: number;
  /** The scope of the limit, such as `of an application`. */
  scope: string;
};

/** Refuses a record beyond a limit on their number. Problems: invalid_operation. */
export function failTooMany({ property, limit, scope }: Excess): never {
  return fail('invalid_operation', {
    message: `There are at most ${limit} ${property} ${scope}.`,
    property,
    data: { limit },
  });
}
