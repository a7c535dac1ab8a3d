import { changeBodies } from '@parley/domain/json/change';
import type { View } from '@parley/domain/json/view';
import { frameBody } from '../../connection/frame.ts';
import type { AddressedEvent, RenderContext } from './context.ts';
import type { PacketSink } from './recipients.ts';

/** Users see private fields of their own identity, so their packets are made separately. */
export function renderIdentity(context: RenderContext, { event, recipients }: AddressedEvent): void {
  const { appId, body } = event;
  if (body.case !== 'identityChanged') return;
  const { userId = '', incarnation = 0 } = body.value.identity ?? {};
  const view = { ...context.view, appId, publicIdentityFields: context.publicIdentityFieldsOf(appId) };
  const bodiesFor = (reader: View) => changeBodies(reader, event).map((change) => frameBody(change));
  const shared = bodiesFor(view);
  for (const recipient of recipients) {
    for (const socket of recipient.sockets) {
      const isOwn = recipient.userId === userId && isOf(socket, incarnation);
      for (const each of isOwn ? bodiesFor({ ...view, userId }) : shared) socket.push('change', each);
    }
  }
}

/** False for the socket of an erased person who had the user id before. */
function isOf({ caller }: PacketSink, incarnation: number): boolean {
  return (caller?.incarnation ?? incarnation) >= incarnation;
}
