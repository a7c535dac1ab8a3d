import type { BasicIdentity, Client, Message } from '@parley/client';
import { useClient } from '@parley/react';
import { useEffect, useState, type ReactElement } from 'react';
import { Problem } from './dialog-button.tsx';
import { nameOf } from './names.ts';
import { useComponents, useLanguage } from './settings.ts';

/** Reactions that the platform gives at a time. */
const PAGE = 100;

type Reaction = { readonly id: string; readonly key: string; readonly user: BasicIdentity };

/** Lists the users who reacted to a message, the latest first. */
export function WhoReacted({ message }: { message: Message }): ReactElement {
  const language = useLanguage();
  const { texts } = language;
  const { Avatar } = useComponents();
  const { items, problem, more } = useReactions(message.id);
  return (
    <div className="parley-who" role="status" aria-busy={items === undefined}>
      {items === undefined && problem === '' && <p className="parley-quiet">{texts.loading}</p>}
      <ul aria-label={texts.whoReacted}>
        {items?.map(({ id, key, user }) => (
          <li key={id}>
            <Avatar identities={[user]} size="small" />
            <bdi>{nameOf(user, language)}</bdi>
            <bdi>{key}</bdi>
          </li>
        ))}
      </ul>
      <Problem text={problem} />
      {more && (
        <button type="button" className="parley-plain" onClick={more}>
          {problem === '' ? texts.more : texts.retry}
        </button>
      )}
    </div>
  );
}

/** The reactions that were read, undefined until the first answer; and a function that reads the next page, or tries again. */
function useReactions(messageId: string) {
  const client = useClient();
  const [items, setItems] = useState<readonly Reaction[]>();
  const [problem, setProblem] = useState('');
  const [isLast, setLast] = useState(true);
  // Another object, even with the same id, asks again.
  const [page, setPage] = useState<{ readonly from?: string | undefined }>({});
  useEffect(() => {
    let isWanted = true;
    setProblem('');
    if (client)
      readPage(client, messageId, page.from).then(
        (read) => {
          if (!isWanted) return;
          setItems((known = []) => [...known, ...read]);
          setLast(read.length < PAGE);
        },
        (error: Error) => isWanted && setProblem(error.message),
      );
    return () => {
      isWanted = false;
    };
  }, [client, messageId, page]);
  const more = isLast && problem === '' ? undefined : () => setPage({ from: items?.at(-1)?.id });
  return { items, problem, more };
}

async function readPage(client: Client, messageId: string, from: string | undefined): Promise<Reaction[]> {
  const query = new URLSearchParams({ page_size: String(PAGE) });
  if (from !== undefined) query.set('from_id', from);
  const uuid = messageId.slice(messageId.lastIndexOf('/') + 1);
  // eslint-disable-next-line no-restricted-syntax -- a UUID is one segment
  return (await client.request('GET', `/messages/${uuid}/reactions?${query}`)) as Reaction[];
}
