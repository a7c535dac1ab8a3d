import { packText, unpackText } from '@parley/kit/runtime/packed-text';
import { createSealer, type Sealer } from '@parley/kit/runtime/seal';
import type { Context } from '../context.ts';
import type { IdempotencyKeyRow } from '../sql/idempotency-key.ts';

/** A recorded answer, or the reference from which it is rendered again. JSON. */
export type Kept = { answer: string } | { reference: string };

/** An answer that takes more, packed, is kept as its reference. Bytes. docs/protocol/requests.md#repeating-a-request */
export const MAX_ANSWER_BYTES = 32_768;

/** Larger than any answer of the platform. Bytes. */
const MAX_UNPACKED_BYTES = 16_777_216;

const ANSWER = 0;
const REFERENCE = 1;

/** Encrypts stored answers, since they may hold secrets such as a session token. */
export function answerSealer({ config }: Context): Sealer {
  return createSealer([config.nonceSecret, ...config.acceptedNonceSecrets], 'answers of operations');
}

type Given = { answer: string; reference: string | undefined; isShort: boolean };

/** The encrypted record of an answer. `isShort`: an answer with a reference is stored as that, however small it is. */
export async function packAnswer(
  sealer: Sealer,
  operationId: string,
  { answer, reference, isShort }: Given,
): Promise<{ bytes: Buffer; kept: Kept }> {
  const seal = (kind: number, packed: Buffer): Buffer =>
    sealer.sealBytes(Buffer.concat([Buffer.of(kind), packed]), operationId);
  const asReference = async (text: string) => ({
    bytes: seal(REFERENCE, await packText(text)),
    kept: { reference: text },
  });
  if (reference !== undefined && isShort) return asReference(reference);
  const packed = await packText(answer);
  if (reference !== undefined && packed.length > MAX_ANSWER_BYTES) return asReference(reference);
  return { bytes: seal(ANSWER, packed), kept: { answer } };
}

/** The record of a key's answer; undefined: its request is still running. */
export async function unpackAnswer(
  sealer: Sealer,
  { operation_id: operationId, answer, kept }: IdempotencyKeyRow,
): Promise<Kept | undefined> {
  if (kept) {
    const opened = sealer.openBytes(kept, operationId);
    const text = await unpackText(opened.subarray(1), MAX_UNPACKED_BYTES);
    return opened[0] === REFERENCE ? { reference: text } : { answer: text };
  }
  return answer ? { answer: sealer.open(answer, operationId) } : undefined;
}
