import { create, toBinary } from '@parley/codec';
import { liveSubject, shardOf } from '@parley/domain/events';
import type { Tx } from '@parley/kit/postgres';
import {
  PresenceBatchSchema,
  PresenceSchema,
  PresenceStatus,
  type Presence,
  type PresenceReport,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import {
  deleteHolds,
  insertHolds,
  insertPresences,
  listPresences,
  lockPresences,
  shareIncarnations,
  updatePresences,
  type PresenceRow,
  type PresenceUpdate,
} from '../sql/presence.ts';
import { nameUnseeing, type AppPresence } from './unseeing.ts';
import { visibleStatus, stepPresence, toPresence } from './view.ts';

export type PresenceRecording = {
  gatewayId: string;
  reports: readonly Pick<PresenceReport, 'appId' | 'userId' | 'connected' | 'status' | 'incarnation'>[];
  at: number;
};

const MAX_PRESENCES_PER_MESSAGE = 1000;
/** Users named in all changes of a message. */
const MAX_NAMED_PER_MESSAGE = 1000;

/** Writes a gateway's reports with a few statements for all users, and publishes the changes after the commit. */
export async function recordPresences(ctx: Context, tx: Tx, recording: PresenceRecording): Promise<void> {
  const { gatewayId, at } = recording;
  const reports = await withoutErased(tx, recording.reports);
  if (reports.length === 0) return;
  const users = reports.map(({ appId, userId }) => ({ appId, userId }));
  // A user who disconnects may have been erased, so their row is not inserted again.
  const arriving = reports.filter(isArriving).map(({ appId, userId }) => ({ appId, userId }));
  if (arriving.length > 0) await insertPresences(tx, arriving, at);
  const before = await lockPresences(tx, users);
  const usersWith = (connected: boolean) =>
    reports.flatMap((report, index) => (report.connected === connected ? (users[index] ?? []) : []));
  const [held, released] = [usersWith(true), usersWith(false)];
  if (held.length > 0) await insertHolds(tx, held, gatewayId);
  if (released.length > 0) await deleteHolds(tx, released, gatewayId);
  const connected = new Map(
    (await listPresences(tx, users)).map((row) => [`${row.app_id}/${row.user_id}`, row.is_connected]),
  );
  const chosen = new Map(reports.map(({ appId, userId, status }) => [`${appId}/${userId}`, status]));
  const changes = before.flatMap((row) => {
    const key = `${row.app_id}/${row.user_id}`;
    const step = { connected: connected.get(key) ?? false, status: chosen.get(key) ?? 0, at };
    const after = stepPresence(row, step);
    return after ? [{ after, hidden: visibleStatus(after) === visibleStatus(row) }] : [];
  });
  if (changes.length === 0) return;
  await updatePresences(
    tx,
    changes.map(({ after }) => toUpdate(after)),
  );
  const told = changes.map(({ after, hidden }) => ({
    appId: after.app_id,
    presence: toPresence(after, hidden),
  }));
  // The transaction ends shortly, so a block that was confirmed before is known.
  await nameUnseeing(tx, told);
  // The gateway repeats its report, which stores what is missing and changes nothing else.
  tx.afterCommit(() => publishPresences(ctx, told), 'same');
}

/** The reports without what erased persons did: the user id may have another holder by now, and must have no presence otherwise. */
async function withoutErased(
  tx: Tx,
  reports: PresenceRecording['reports'],
): Promise<PresenceRecording['reports']> {
  const arriving = reports.filter((report) => isArriving(report) && report.incarnation !== undefined);
  if (arriving.length === 0) return reports;
  const rows = await shareIncarnations(tx, arriving);
  const incarnations = new Map(rows.map((row) => [`${row.app_id}/${row.user_id}`, row.incarnation]));
  return reports.filter((report) => {
    const current = incarnations.get(`${report.appId}/${report.userId}`) ?? 0;
    return !isArriving(report) || (report.incarnation ?? current) >= current;
  });
}

function isArriving({ connected, status }: PresenceRecording['reports'][number]): boolean {
  return connected === true || status !== PresenceStatus.UNSPECIFIED;
}

function toUpdate(row: PresenceRow): PresenceUpdate {
  const { app_id: appId, user_id: userId, status, version } = row;
  return { appId, userId, status, lastSeenAt: row.last_seen_at, changedAt: row.changed_at, version };
}

/** Tells watchers of an erased user that the user is offline, and nothing else. */
export function publishGone(ctx: Context, gone: { appId: string; userId: string; version: number }): void {
  const { appId, userId, version } = gone;
  const status = PresenceStatus.OFFLINE;
  const presence = create(PresenceSchema, {
    userId,
    status,
    version: version + 1,
    changedAt: ctx.clock.now(),
  });
  publishPresences(ctx, [{ appId, presence }]);
}

// A gateway that misses a change reads it with its next query; versions tell repeated changes apart.
function publishPresences({ bus, config }: Context, told: readonly AppPresence[]): void {
  const bySubject = Map.groupBy(told, ({ appId, presence }) =>
    liveSubject(appId, shardOf(presence.userId, config.liveShards), 'presence'),
  );
  for (const [subject, some] of bySubject) {
    for (const presences of messagesOf(some.map(({ presence }) => presence))) {
      const batch = create(PresenceBatchSchema, { presences });
      bus.publishLive(subject, toBinary(PresenceBatchSchema, batch), { untilConfirmed: true });
    }
  }
}

function messagesOf(presences: readonly Presence[]): Presence[][] {
  const messages: Presence[][] = [];
  let named = 0;
  for (const presence of presences) {
    const last = messages.at(-1);
    named += presence.hiddenFrom.length;
    if (last && last.length < MAX_PRESENCES_PER_MESSAGE && named <= MAX_NAMED_PER_MESSAGE)
      last.push(presence);
    else {
      messages.push([presence]);
      named = presence.hiddenFrom.length;
    }
  }
  return messages;
}
