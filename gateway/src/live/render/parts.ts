import { renderPlain } from './plain.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/** Edited parts, for the recipients who see the message. */
export function renderPartsChanged(context: RenderContext, addressed: AddressedEvent): void | Promise<void> {
  const { event, recipients } = addressed;
  if (event.body.case !== 'messagePartsChanged') return;
  const hiddenFrom = new Set(event.body.value.hiddenFrom);
  return renderPlain(context, {
    ...addressed,
    recipients: recipients.filter(({ userId }) => !hiddenFrom.has(userId)),
  });
}
