import { SegmentedControl, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { wireNameOf, type AppIds } from '../../api/app-ids.ts';
import { userName } from '../../api/path.ts';
import { STATISTICS_KEY, usersKey } from '../../api/query-keys.ts';
import { writeServer } from '../../api/server.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues } from '../../ui/form/use-values.ts';

type Kind = 'bot' | 'user';

const KINDS: { value: Kind; label: string; about: string }[] = [
  {
    value: 'bot',
    label: 'Bot',
    about: 'Servers send with it as the sender, also into conversations in which it takes no part.',
  },
  {
    value: 'user',
    label: 'User',
    about: 'The application’s own name of the user, as in its identity tokens.',
  },
];
const NOBODY: { kind: Kind; userId: string; name: string } = { kind: 'bot', userId: '', name: '' };

export function CreateUser({ app }: { app: AppIds }) {
  const navigate = useNavigate();
  const { values, text, choice } = useValues(NOBODY);
  const { kind, userId, name } = values;
  const body = { display_name: name, identity_type: kind };
  return (
    <FormDialog
      opener={{ label: 'New user or bot', icon: 'plus' }}
      title="New user or bot"
      submitLabel="Create"
      run={() => writeServer(app, (server) => server.createIdentity(userId, body))}
      done={`The ${kind} was created.`}
      changes={[usersKey(app.appUuid), STATISTICS_KEY]}
      after={() =>
        void navigate({
          to: '/apps/$app/users/$user',
          params: { app: app.appUuid, user: userName(userId, wireNameOf(app)) },
        })
      }
    >
      <SegmentedControl {...choice('kind')} aria-label="Kind" data={KINDS} />
      <TextInput
        {...text('userId')}
        label="User id"
        description={KINDS.find(({ value }) => value === kind)?.about}
        required
        maxLength={256}
        data-autofocus
      />
      <TextInput {...text('name')} label="Display name" required maxLength={128} />
    </FormDialog>
  );
}
