import { Tag } from './tag.tsx';

/** Whether an application or a user is suspended. */
export function AppState({ isSuspended }: { isSuspended: boolean }) {
  return <Tag tone={isSuspended ? 'bad' : 'good'}>{isSuspended ? 'suspended' : 'active'}</Tag>;
}
