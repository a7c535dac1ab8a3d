import { queryOptions } from '@tanstack/react-query';
import { CELL_ADMIN } from '../../api/cell-admin.ts';

export const CELLS = queryOptions({
  queryKey: ['cells'],
  queryFn: () => CELL_ADMIN.listCells({}),
  refetchInterval: 5_000,
});
