import Type, { type Static } from 'typebox';
import { named, oneOf } from '../schema/schema.ts';
import { RECEIPT_TYPES } from '../values.ts';

export const ReceiptInput = named(
  'ReceiptInput',
  Type.Object(
    { type: oneOf(RECEIPT_TYPES, 'A message that is read was delivered, too.') },
    { description: 'What became of a message or an announcement on its way to the user.' },
  ),
);
export type ReceiptInput = Static<typeof ReceiptInput>;
