import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { EventInterestService } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import { byText, mergeSorted } from './divide.ts';
import type { Dividing } from './mount.ts';

/** Stands between the versions that the interest in all applications has in several cells. */
const BETWEEN = ' ';

/** The interest in all applications is in each cell, and is shown as one. */
export const INTERESTS_IN_CELLS: Dividing<typeof EventInterestService> = {
  async listEventInterests(request, { calls, call }) {
    const answers = await Promise.all(calls.map(async (list) => list(request, call)));
    const lists = answers.map(({ interests = [] }) =>
      interests.map(({ appId = '', version = '', isIncomplete = false }) => ({
        appId,
        version,
        isIncomplete,
      })),
    );
    const all = mergeSorted(lists, (one, other) => byText(one.appId, other.appId), Infinity);
    const general = all.filter(({ appId }) => appId === NIL_UUID);
    const merged = general.length > 0 && {
      appId: NIL_UUID,
      version: general.map(({ version }) => version).join(BETWEEN),
      isIncomplete: general.some(({ isIncomplete }) => isIncomplete),
    };
    const others = all.slice(general.length);
    return { interests: (merged ? [merged, ...others] : others).slice(0, Math.max(request.limit, 1)) };
  },
  async dropEventInterests(request, { calls, cells, call }) {
    const found = await Promise.all(request.interests.map(({ appId }) => cells.of(appId)));
    await Promise.all(
      calls.map(async (drop, cell) => {
        const interests = request.interests.flatMap((interest, index) => {
          if (interest.appId !== NIL_UUID) return found[index] === cell ? [interest] : [];
          return interest.version.split(BETWEEN).map((version) => ({ ...interest, version }));
        });
        return interests.length > 0 ? drop({ ...request, interests }, call) : undefined;
      }),
    );
    return {};
  },
};
