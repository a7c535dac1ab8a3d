import type { Conversation, Message } from '@parley/client';
import type { ReactElement } from 'react';
import { Attachment } from './attachment.tsx';
import { nameOf, timeOf } from './text.ts';

type Props = { message: Message; conversation: Conversation };

export function MessageView({ message, conversation }: Props): ReactElement {
  const { isOwn, sender, sentAt, state, text, parts } = message;
  const files = parts.filter(({ content }) => content !== null);
  return (
    <li className="message" data-own={isOwn || undefined} data-state={state}>
      <span className={isOwn || conversation.others.length === 1 ? 'hidden' : 'sender'}>
        {isOwn ? 'You' : nameOf(sender)}:
      </span>
      {files.map((part) => (
        <Attachment key={part.id} part={part} name={part.filename ?? text} isSent={state === 'sent'} />
      ))}
      <p>{text}</p>
      <footer>
        {sentAt && <time dateTime={sentAt}>{timeOf(sentAt)}</time>}
        {isOwn && <Mark message={message} conversation={conversation} />}
      </footer>
      {state === 'failed' && <Failed message={message} />}
    </li>
  );
}

const MARKS = {
  sending: ['◷', 'waits to be sent'],
  failed: ['!', 'not sent'],
  sent: ['✓', 'sent'],
  delivered: ['✓✓', 'delivered'],
  read: ['✓✓', 'read'],
} as const;

/** How far a message of the user's own has come: as far as with the participant with whom it has come least far. */
function Mark({ message, conversation }: Props): ReactElement {
  const statuses = conversation.others.map(({ id }) => message.recipientStatus[id] ?? 'sent');
  const reached = (['sent', 'delivered', 'read'] as const).find((status) => statuses.includes(status));
  const mark = message.state === 'sent' ? (reached ?? 'sent') : message.state;
  const [sign, words] = MARKS[mark];
  return (
    <span className="mark" data-mark={mark} title={words}>
      <span aria-hidden="true">{sign}</span>
      <span className="hidden">{words}</span>
    </span>
  );
}

function Failed({ message }: { message: Message }): ReactElement {
  return (
    <p className="failed">
      Not sent: {message.error?.message ?? message.error?.id}
      <button onClick={() => void message.retry()}>Try again</button>
      <button onClick={() => void message.discard()}>Discard</button>
    </p>
  );
}
