import { renderPlain } from './plain.ts';
import type { Renderer } from './index.ts';

/** Edited parts: for those who see the message. */
export const renderPartsChanged: Renderer = (context, addressed) => {
  const { event, recipients } = addressed;
  if (event.body.case !== 'messagePartsChanged') return;
  const hiddenFrom = new Set(event.body.value.hiddenFrom);
  return renderPlain(context, {
    ...addressed,
    recipients: recipients.filter(({ userId }) => !hiddenFrom.has(userId)),
  });
};
