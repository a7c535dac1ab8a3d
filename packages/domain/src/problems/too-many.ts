import { fail } from './problem.ts';

export type Excess = {
  /** What there would be too many of, as clients name it. */
  property: string;
  /** How many there may be. */
  limit: number;
  /** Where, such as `of an application`. */
  scope: string;
};

/** Refuses to keep one more of something that a caller has as many of as it may. Problems: invalid_operation. */
export function failTooMany({ property, limit, scope }: Excess): never {
  return fail('invalid_operation', {
    message: `There are at most ${limit} ${property} ${scope}.`,
    property,
    data: { limit },
  });
}
