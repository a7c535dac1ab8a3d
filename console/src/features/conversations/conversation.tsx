import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Conversation } from '@parley/contract/gen/records';
import { pathTo, userName } from '../../api/path.ts';
import { recordQuery } from '../../api/queries.ts';
import { rest, wireNameOf, type AppIds } from '../../api/rest.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { JsonBlock } from '../../ui/code-block.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { namesOf } from './conversations.tsx';
import { MessageList } from './message-list.tsx';
import { Scheduled } from './scheduled.tsx';
import { SendMessage } from './send-message.tsx';

export function ConversationPage() {
  const app = useApp();
  const navigate = useNavigate();
  const { conversation: uuid } = useParams({ from: '/apps/$app/conversations/$conversation' });
  const path = pathTo`/conversations/${uuid}`;
  const query = useQuery(recordQuery<Conversation>(app, path));
  const mayWrite = useMay('operator', app.appUuid);
  return (
    <Page
      title={query.data ? namesOf(query.data.participants) : 'Conversation'}
      about={<CopyText text={uuid} label="Copy the id of the conversation" />}
      actions={
        mayWrite &&
        query.data && (
          <ConfirmButton
            label="Delete for all"
            variant="filled"
            color="red"
            title="Delete the conversation?"
            effect="The conversation and all its messages are deleted for every participant, for good."
            run={() => rest(app, path, { method: 'DELETE' })}
            done="The conversation was deleted."
            changes={[['rest', app.appUuid, '/conversations']]}
            after={() => void navigate({ to: '/apps/$app/conversations', params: { app: app.appUuid } })}
          />
        )
      }
    >
      <Loaded query={query} what="the conversation">
        {(conversation) => (
          <>
            <Details conversation={conversation} app={app} />
            {mayWrite && <SendMessage app={app} conversation={conversation} path={path} />}
            <Scheduled app={app} path={path} mayWrite={mayWrite} />
            <Section title="Messages" about="The newest first, with the status of every recipient.">
              <MessageList app={app} path={path} mayWrite={mayWrite} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Details({ conversation, app }: { conversation: Conversation; app: AppIds }) {
  const { participants, created_at, distinct, metadata } = conversation;
  const isEmpty = Object.keys(metadata).length === 0;
  return (
    <Section title="Details">
      <Fields
        rows={[
          [
            'Participants',
            <Group gap="xs" key="participants">
              {participants.map(({ user_id, display_name }) => (
                <Link
                  key={user_id}
                  to="/apps/$app/users/$user"
                  params={{ app: app.appUuid, user: userName(user_id, wireNameOf(app)) }}
                  className="text-link"
                >
                  {display_name ?? user_id}
                </Link>
              ))}
              {participants.length === 0 && <Text size="sm">none</Text>}
            </Group>,
          ],
          ['Created', <Time key="created" at={created_at} />],
          ['Distinct', distinct ? 'yes: the only one of these participants' : 'no'],
          ['Metadata', isEmpty ? 'none' : <JsonBlock key="metadata" value={metadata} label="Metadata" />],
        ]}
      />
    </Section>
  );
}
