import { renderPlain } from './plain.ts';
import type { Renderer } from './index.ts';

/** Edited parts: for those who see the message. */
export const renderPartsChanged: Renderer = (rendering, telling) => {
  const { event, recipients } = telling;
  if (event.body.case !== 'messagePartsChanged') return;
  const hiddenFrom = new Set(event.body.value.hiddenFrom);
  return renderPlain(rendering, {
    ...telling,
    recipients: recipients.filter(({ userId }) => !hiddenFrom.has(userId)),
  });
};
