import fc from 'fast-check';
import { MessageMetadata, Metadata } from '../records/metadata.ts';
import { OPERATIONS } from '../api/index.ts';
import { checkOf } from './json-schema.ts';
import { validValues } from './valid-values.ts';

const NAMED = { MessageMetadata, Metadata };
const bodies = Object.entries(OPERATIONS).flatMap(([key, { body }]) =>
  body ? [[key, body.schema] as const] : [],
);

test.each(bodies)('values that are made for the body of %s are valid', (_, schema) => {
  const accepts = checkOf(schema, NAMED);
  fc.assert(
    fc.property(validValues(schema, NAMED), (value) => accepts(value)),
    { numRuns: 20 },
  );
});
