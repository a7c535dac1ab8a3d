import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Conversation } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { serverKey } from '../../api/server-queries.ts';
import { writeServer } from '../../api/server.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { JsonBlock } from '../../ui/code-block.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { UserLink } from '../../ui/user-link.tsx';
import { MessageList } from './message-list.tsx';
import { Moderation } from './moderation.tsx';
import { namesOf } from './names.ts';
import { conversationQuery } from './queries.ts';
import { Scheduled } from './scheduled.tsx';
import { SendMessage } from './send-message.tsx';

export function ConversationPage() {
  const app = useApp();
  const { conversation: id } = useParams({ from: '/apps/$app/conversations/$conversation' });
  const query = useQuery(conversationQuery(app, id));
  const mayWrite = useMay('operator', app.appUuid);
  return (
    <Page
      title={query.data ? namesOf(query.data.participants) : 'Conversation'}
      about={<CopyText text={id} label="Copy the id of the conversation" />}
      actions={mayWrite && query.data && <DeleteForAll app={app} id={id} />}
    >
      <Loaded query={query} what="the conversation">
        {(conversation) => (
          <>
            <Details conversation={conversation} app={app} />
            <Moderation app={app} id={id} conversation={conversation} mayWrite={mayWrite} />
            {mayWrite && <SendMessage app={app} id={id} conversation={conversation} />}
            <Scheduled app={app} id={id} mayWrite={mayWrite} />
            <Section title="Messages" about="The newest first, with the status of every recipient.">
              <MessageList app={app} id={id} mayWrite={mayWrite} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function DeleteForAll({ app, id }: { app: AppIds; id: string }) {
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label="Delete for all"
      variant="filled"
      color="red"
      title="Delete the conversation?"
      effect="The conversation and all its messages are deleted for every participant, for good."
      run={() => writeServer(app, (server) => server.deleteConversation(id))}
      done="The conversation was deleted."
      changes={[serverKey(app, 'conversations')]}
      after={() => void navigate({ to: '/apps/$app/conversations', params: { app: app.appUuid } })}
    />
  );
}

type DetailsProps = { conversation: Conversation; app: AppIds };

function Details({ conversation, app }: DetailsProps) {
  const { created_at, distinct, metadata } = conversation;
  const isEmpty = Object.keys(metadata).length === 0;
  return (
    <Section title="Details">
      <Fields
        rows={[
          ['Participants', <Participants key="participants" {...{ conversation, app }} />],
          ['Created', <Time key="created" at={created_at} />],
          ['Distinct', distinct ? 'yes: the only one of these participants' : 'no'],
          ['Metadata', isEmpty ? 'none' : <JsonBlock key="metadata" value={metadata} label="Metadata" />],
        ]}
      />
    </Section>
  );
}

function Participants({ conversation: { participants }, app }: DetailsProps) {
  return (
    <Group gap="xs">
      {participants.map(({ user_id, display_name }) => (
        <UserLink key={user_id} app={app} userId={user_id} className="text-link">
          {display_name ?? user_id}
        </UserLink>
      ))}
      {participants.length === 0 && <Text size="sm">none</Text>}
    </Group>
  );
}
