import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ConversationType } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { typesQuery } from './queries.ts';
import { TypeForm } from './type-form.tsx';

const DEFAULT = 'default';

export function TypePage() {
  const app = useApp();
  const { type: name } = useParams({ from: '/apps/$app/types/$type' });
  const query = useQuery(typesQuery(app));
  const mayWrite = useMay('owner', app.appUuid);
  const type = query.data?.find((one) => one.name === name);
  return (
    <Page
      title={`Type ${name}`}
      about={<CopyText text={name} label="Copy the name of the type" />}
      actions={mayWrite && type && <DeleteType app={app} type={type} />}
    >
      <Loaded query={query} what="the type">
        {() =>
          type ? (
            <TypeForm key={name} app={app} type={type} mayWrite={mayWrite} />
          ) : (
            <Empty icon="types" title="There is no such type">
              <Link to="/apps/$app/types" params={{ app: app.appUuid }} className="text-link">
                All types
              </Link>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

function DeleteType({ app, type: { name } }: { app: AppIds; type: ConversationType }) {
  const navigate = useNavigate();
  const isDefault = name === DEFAULT;
  return (
    <ConfirmButton
      label={isDefault ? 'Restore the defaults' : 'Delete'}
      variant="filled"
      color="red"
      title={isDefault ? 'Restore the default rules?' : `Delete the type ${name}?`}
      effect={
        isDefault
          ? 'Every conversation without another type gets the default rules at once.'
          : 'A type that a conversation has is not deleted. Requests that name it are refused afterwards.'
      }
      typed={name}
      run={() => writeServer(app, (server) => server.deleteType(name))}
      done={isDefault ? 'The default rules were restored.' : 'The type was deleted.'}
      changes={[typesQuery(app).queryKey]}
      after={() => {
        if (!isDefault) void navigate({ to: '/apps/$app/types', params: { app: app.appUuid } });
      }}
    />
  );
}
