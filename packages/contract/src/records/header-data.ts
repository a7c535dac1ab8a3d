import Type from 'typebox';

/** `data` of an error about a header. */
export const HeaderData = Type.Object(
  { header: Type.String({ description: 'The header.', examples: ['Idempotency-Key'] }) },
  { description: 'Names a header.' },
);
