import type { AddressedEvent, RenderContext } from './context.ts';

/** Counts and names of reactions, gathered with those of other changes. */
export function renderReactions({ reactions }: RenderContext, { event, recipients }: AddressedEvent): void {
  const { body } = event;
  if (body.case === 'reactionsChanged') reactions.changed(event, body.value, recipients);
}
