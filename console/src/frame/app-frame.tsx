import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import type { App } from '@parley/proto/parley/identity/v1/app_pb';
import { useSuspenseQuery } from '@tanstack/react-query';
import { appQuery } from '../api/queries.ts';
import { Loaded } from '../ui/page.tsx';

/** The pages of one application, once it is known. */
export function AppFrame() {
  const { app } = useParams({ from: '/apps/$app' });
  const query = useQuery(appQuery(app));
  return (
    <Loaded query={query} what="the application">
      {() => <Outlet />}
    </Loaded>
  );
}

/** The application of a page below AppFrame. */
export function useApp(): App {
  const { app } = useParams({ from: '/apps/$app' });
  return useSuspenseQuery(appQuery(app)).data;
}
