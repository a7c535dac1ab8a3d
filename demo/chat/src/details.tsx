import type { Conversation } from '@parley/client';
import { useState, type ReactElement } from 'react';
import { addUser } from './backend.ts';
import { nameOf } from './text.ts';

/** Participants and metadata. */
export function Details({ conversation }: { conversation: Conversation }): ReactElement {
  const { participants, metadata, distinct } = conversation;
  async function add(user: string): Promise<void> {
    await addUser(user);
    await conversation.addParticipants([user]);
  }
  return (
    <div className="details">
      <h4>Participants</h4>
      <ul>
        {participants.map((one) => (
          <li key={one.id}>
            {nameOf(one)}
            {!distinct && (
              <button
                aria-label={`Remove ${nameOf(one)}`}
                onClick={() => void conversation.removeParticipants([one.id])}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {distinct ? (
        <p>This is the one conversation of these two, so no one can be added.</p>
      ) : (
        <Entry labels={['User']} button="Add" submit={([user = '']) => add(user)} />
      )}
      <h4>Metadata</h4>
      <dl>
        {Object.entries(metadata).map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              {typeof value === 'string' ? value : JSON.stringify(value)}
              <button aria-label={`Delete ${key}`} onClick={() => void conversation.deleteMetadata([key])}>
                ×
              </button>
            </dd>
          </div>
        ))}
      </dl>
      <Entry
        labels={['Key, such as title', 'Value']}
        button="Set"
        submit={([key = '', value = '']) => conversation.setMetadata([key], value)}
      />
    </div>
  );
}

type EntryProps = { labels: string[]; button: string; submit(texts: string[]): Promise<void> };

function Entry({ labels, button, submit }: EntryProps): ReactElement {
  const [texts, setTexts] = useState(labels.map(() => ''));
  const [problem, setProblem] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTexts(labels.map(() => ''));
        submit(texts).then(
          () => setProblem(''),
          (error: unknown) => setProblem(String(error)),
        );
      }}
    >
      {labels.map((label, index) => (
        <input
          key={label}
          required
          aria-label={label}
          placeholder={label}
          value={texts[index]}
          onChange={({ target }) => setTexts(texts.with(index, target.value))}
        />
      ))}
      <button>{button}</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
