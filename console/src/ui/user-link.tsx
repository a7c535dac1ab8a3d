import { Link } from '@tanstack/react-router';
import { wireNameOf, type AppIds } from '../api/app-ids.ts';
import { userName } from '../api/path.ts';

type Props = {
  app: AppIds;
  userId: string;
  className: 'cell-link' | 'text-link';
  title?: string;
  children: string;
};

/** A link to the page of a user, whatever their id is. */
export function UserLink({ app, userId, children, ...look }: Props) {
  return (
    <Link
      to="/apps/$app/users/$user"
      params={{ app: app.appUuid, user: userName(userId, wireNameOf(app)) }}
      {...look}
    >
      {children}
    </Link>
  );
}
