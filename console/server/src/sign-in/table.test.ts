import { ENDPOINTS } from './table.ts';

test.each(ENDPOINTS.filter(([method, path]) => method !== 'get' || path.endsWith('/callback')))(
  'the console’s %s %s is recorded',
  (_method, _path, _endpoint, _caller, _rule, refused) => expect(refused).not.toBeNull(),
);
