import { useTyping } from '@parley/react';
import type { ReactElement } from 'react';
import { nameOf } from './names.ts';
import { useLanguage } from './settings.ts';

/** Properties of the line. */
export type TypingIndicatorProps = { readonly conversationId: string };

/**
 * Names the participants who type at this moment. Its place is kept while nobody does.
 *
 * @param props The conversation.
 * @returns The element.
 * @example <TypingIndicator conversationId={id} />
 */
export function TypingIndicator({ conversationId }: TypingIndicatorProps): ReactElement {
  const { typists } = useTyping(conversationId);
  const language = useLanguage();
  const { texts, fill, list } = language;
  const names = list(typists.map((one) => nameOf(one, language)));
  return (
    <p className="parley-typing" role="status">
      {typists.length > 0 && (
        <>
          <span className="parley-typing-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {fill(typists.length === 1 ? texts.typing : texts.typingMany, { name: names })}
        </>
      )}
    </p>
  );
}
