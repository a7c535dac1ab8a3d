import { changeBodies } from '@parley/domain/json/change';
import { changeFrame } from './about.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/** Identical packets for all recipients. */
export function renderPlain({ view }: RenderContext, { event, recipients }: AddressedEvent): void {
  const bodies = changeBodies({ ...view, appId: event.appId }, event).map((body) => changeFrame(event, body));
  for (const { sockets } of recipients) {
    for (const socket of sockets) for (const body of bodies) socket.push('change', body);
  }
}
