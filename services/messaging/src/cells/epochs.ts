import { joinEpochs, splitEpochs } from '@parley/domain/events/cell-epochs';
import type { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { groupByCell } from './divide.ts';
import type { Dividing } from './mount.ts';

/** The epoch of several cells is the list of theirs, in their order: another one of any cell makes it another one. */
export const CHANGE_LOG_IN_CELLS: Dividing<typeof ChangeLogService> = {
  async getEpoch(request, { calls, cells, call }) {
    const groups = await groupByCell(cells, request.told);
    const known = splitEpochs(request.epoch);
    const answers = await Promise.all(
      calls.map(async (get, cell) => {
        const told = groups.find((group) => group.cell === cell)?.items ?? [];
        const epoch = known[cell] ?? '';
        try {
          return (await get({ ...request, epoch, told }, call)).epoch ?? '';
        } catch (error) {
          // While the server of one cell is away, the caller hears of the others.
          if (epoch === '') throw error;
          return epoch;
        }
      }),
    );
    return { epoch: joinEpochs(answers) };
  },
};
