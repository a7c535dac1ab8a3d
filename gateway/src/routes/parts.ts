import type { Route } from './route.ts';
import { addPart, removePart, replaceParts, updatePart } from './parts/edit.ts';
import { getPart, listParts } from './parts/read.ts';

type Row = Pick<Route, 'method' | 'summary' | 'handle'>;

const ofAll: Row[] = [
  { method: 'GET', summary: 'Get all parts', handle: listParts },
  { method: 'POST', summary: 'Add a part', handle: addPart },
  { method: 'PUT', summary: 'Replace all parts', handle: replaceParts },
];

const ofOne: Row[] = [
  { method: 'GET', summary: 'Get a message part', handle: getPart },
  { method: 'PUT', summary: 'Update a part', handle: updatePart },
  { method: 'DELETE', summary: 'Remove a part', handle: removePart },
];

/** The six operations below the address of a message. SPEC Message parts */
function partsOf(message: string, auth: 'session' | 'bearer'): Route[] {
  const rows = (path: string, given: Row[]) =>
    given.map((row): Route => ({ ...row, path, auth, emptyNotFound: true }));
  return [...rows(`${message}/parts`, ofAll), ...rows(`${message}/parts/:part_id`, ofOne)];
}

/** A user finds a message by its id alone, or within its conversation; who sent it may edit it. */
export const parts: Route[] = [
  ...partsOf('/messages/:message_id', 'session'),
  ...partsOf('/conversations/:conversation_id/messages/:message_id', 'session'),
];

export const serverParts: Route[] = partsOf(
  '/apps/:app_uuid/conversations/:conversation_id/messages/:message_id',
  'bearer',
);
