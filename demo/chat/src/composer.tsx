import type { Conversation } from '@parley/client';
import { useSendMessage, useTyping } from '@parley/react';
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { schedule } from './backend.ts';
import type { ChatUser } from './chat-user.ts';
import { FileButton } from './file-button.tsx';
import { withNotification } from './text.ts';

/** A part of a message has room for 2,048 bytes, and a character takes up to four. */
const LONGEST_TEXT = 500;

type Props = { user: ChatUser; conversation: Conversation };

export function Composer({ user, conversation }: Props): ReactElement {
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const { setTyping } = useTyping(conversation.id);
  const sendMessage = useSendMessage(conversation.id);
  function submit(how: (content: string) => Promise<unknown>): void {
    const content = text.trim();
    setTyping(false);
    setText('');
    setNote('');
    if (content) how(content).catch((error: unknown) => setNote(String(error)));
  }
  async function sendLater(content: string): Promise<void> {
    await schedule(user.id, conversation.id, content);
    setNote('It is sent in five seconds.');
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit((content) => sendMessage(withNotification(user.name, content)));
      }}
    >
      <FileButton conversation={conversation.id} />
      <textarea
        aria-label="Message"
        placeholder="Message"
        rows={1}
        maxLength={LONGEST_TEXT}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setTyping(target.value !== '');
        }}
        onKeyDown={submitWithEnter}
      />
      <button
        type="button"
        title="Send in five seconds"
        disabled={!text.trim()}
        onClick={() => submit(sendLater)}
      >
        Later
      </button>
      <button className="primary">Send</button>
      <p role="status">{note}</p>
    </form>
  );
}

/** Shift and Enter begins a new line, and so does Enter while characters are composed. */
function submitWithEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
