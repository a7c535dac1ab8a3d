import type { Message } from '@parley/client';
import { useConnection, useConversations, useMessages, useSendMessage, useTyping } from '@parley/react';
import { useEffect, useState, type FormEvent } from 'react';

export function Chat({ me, other }: { me: string; other: string }) {
  const { items } = useConversations();
  const { status } = useConnection();
  const conversation = items.find(({ others }) => others.some(({ user_id }) => user_id === other));
  return (
    <section className="chat">
      <header>
        <strong>{me}</strong> <span>{status}</span>
      </header>
      {conversation?.state === 'failed' && <p role="alert">{other} has not logged in yet.</p>}
      {conversation && <Messages id={conversation.id} />}
    </section>
  );
}

function Messages({ id }: { id: string }) {
  const { items, hasOlder, loadOlder } = useMessages(id);
  const { typists, setTyping } = useTyping(id);
  const send = useSendMessage(id);
  const [text, setText] = useState('');
  const newest = items.at(-1);

  useEffect(() => {
    if (newest?.isUnread) void newest.markRead();
  }, [newest]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '') return;
    void send(text);
    setTyping(false);
    setText('');
  }

  return (
    <>
      <ol>
        {hasOlder && <button onClick={loadOlder}>Older messages</button>}
        {items.map((message) => (
          <Line key={message.id} message={message} />
        ))}
      </ol>
      <p className="typing">{typists.length > 0 && `${typists[0]?.display_name} is typing …`}</p>
      <form onSubmit={submit}>
        <input
          aria-label="Message"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setTyping(target.value !== '');
          }}
        />
        <button>Send</button>
      </form>
    </>
  );
}

function Line({ message }: { message: Message }) {
  return (
    <li className={message.isOwn ? 'own' : undefined} data-state={message.state}>
      {message.text}
      {message.state === 'failed' && <button onClick={() => message.retry()}>Send again</button>}
    </li>
  );
}
