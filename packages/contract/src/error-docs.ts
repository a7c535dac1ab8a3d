import type { ErrorId } from './errors.ts';
import { availabilityDocs } from './error-docs/availability.ts';
import { callerDocs } from './error-docs/callers.ts';
import type { ErrorDoc } from './error-docs/error-doc.ts';
import { formDocs } from './error-docs/form.ts';
import { objectDocs } from './error-docs/objects.ts';

export type { ErrorDoc, ErrorExample, ReasonDoc } from './error-docs/error-doc.ts';
export { reasonDocs } from './error-docs/identity-tokens.ts';

/** Documentation of each error. */
export const errorDocs: Readonly<Record<ErrorId, ErrorDoc>> = {
  ...formDocs,
  ...callerDocs,
  ...objectDocs,
  ...availabilityDocs,
};
