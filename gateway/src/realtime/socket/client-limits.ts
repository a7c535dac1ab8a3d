import type { ClientLimitsJson } from '@parley/domain/json/hello';
import { limits } from '@parley/contract/limits';
import type { Rate } from '@parley/kit/flow/limits/buckets';
import type { LimitsConfig } from '../../admission/limits/index.ts';
import type { RealtimeConfig } from '../settings.ts';
import { appliedRate } from '@parley/http/limits/limit';
import { REPLAY_WEIGHT } from '../../admission/limits/weights.ts';
import { REPLAY_OVERLAP_SECONDS } from '../live/replay/overlap.ts';

type Settings = Pick<RealtimeConfig, 'maxPresenceIds'> & { limits: LimitsConfig };

/** The limits for clients, as this gateway applies them. `inlineBodyBytes`: of the application's parts; `features`: switched on for it. */
export function clientLimits(
  { limits: gateway, maxPresenceIds }: Settings,
  inlineBodyBytes: number,
  features: readonly string[],
): ClientLimitsJson {
  const { session, upgrade, upgradeAddress, factor, concurrency, maxSocketsPerUser } = gateway;
  return {
    packet_bytes: limits.requestBodyBytes,
    request_body_bytes: limits.requestBodyBytes,
    message_bytes: limits.messageBytes,
    inline_body_bytes: inlineBodyBytes,
    parts: limits.maxParts,
    json_depth: limits.jsonDepth,
    page_size: {
      conversations: limits.conversationPage,
      messages: limits.messagePage,
      announcements: limits.announcementPage,
      identities: limits.identityPage,
      followed_users: limits.followingPage,
    },
    rates: {
      requests_of_session: rateJson(session, factor),
      upgrades_of_session: rateJson(upgrade, factor),
      upgrades_of_address: rateJson(upgradeAddress, factor),
    },
    requests_under_way: {
      lists: concurrency.lists.perUser,
      patches: concurrency.patches.perUser,
      replays: concurrency.replays.perUser,
    },
    sockets_of_user: maxSocketsPerUser,
    replays_of_socket: concurrency.replays.perSocket,
    replay_weight: REPLAY_WEIGHT,
    presence_ids: maxPresenceIds,
    replay_overlap_in_seconds: REPLAY_OVERLAP_SECONDS,
    ...(features.length > 0 && { features: [...features] }),
  };
}

function rateJson(rate: Rate, factor: number): ClientLimitsJson['rates']['requests_of_session'] {
  const applied = appliedRate(rate, factor);
  return applied ? { per_second: applied.perSecond, burst: applied.burst } : null;
}
