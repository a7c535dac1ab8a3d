import { fromBinary } from '@bufbuild/protobuf';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { until } from '@parley/testing';
import { nameOf } from './actions.ts';
import type { TestMessaging } from './service.ts';

type Target = { appId: string; messageId: string };

export type ReactionOptions = {
  remove?: boolean;
  replace?: boolean;
  notification?: { title?: string; text: string; sound?: string };
};

/** `done`, or the problem. */
export async function react(
  service: TestMessaging,
  { appId, messageId }: Target,
  userId: string,
  key: string,
  options: ReactionOptions = {},
): Promise<string> {
  const [outcome] = await reactAll(service, [{ appId, messageId, userId, key, ...options }]);
  return outcome!;
}

/** All at once. */
export async function reactAll(
  { reactions }: TestMessaging,
  items: readonly (Target & ReactionOptions & { userId: string; key: string })[],
): Promise<string[]> {
  const { results } = await reactions.changeReactions({ items: [...items] });
  return results.map(({ problem, contended }) =>
    contended ? 'contended' : problem ? nameOf(problem) : 'done',
  );
}

/** The reactions that a message shows, in short: `👍 2 bob,ann own`. */
export function shownReactions(message: Pick<Message, 'reactions'> | undefined): string[] {
  return (message?.reactions ?? []).map(
    ({ key, count, recent, own }) => `${key} ${count} ${recent.join(',')}${own ? ' own' : ''}`,
  );
}

/** The stored counts of all messages, and what a recount finds. */
export async function countsAndRecount(
  { ctx }: TestMessaging,
  appId: string,
): Promise<[unknown[], unknown[]]> {
  const counts = await ctx.db.query({
    text: `select position, key, count, recent from reaction_count where app_id = $1 order by position, key`,
    values: [appId],
  });
  const recount = await ctx.db.query({
    text: `
      select r.position, r.key, count(*) as count,
        (array_agg(r.user_id order by r.id desc))[1:3] as recent
      from reaction r where r.app_id = $1 group by r.position, r.key order by r.position, r.key`,
    values: [appId],
  });
  return [counts, recount];
}

/** Hears of pushes of reactions in an application, for each change of reactions those that are made of it, in short: `bob 👍`. */
export async function hearPushes({ ctx: { bus } }: TestMessaging, appId: string) {
  const changes: string[][] = [];
  bus.subscribeLive(`event.${appId}.reaction.changed`, (payload) => {
    for (const { body } of fromBinary(EventBatchSchema, payload).events)
      if (body.case === 'reactionsChanged')
        changes.push(body.value.pushes.map(({ user, key }) => `${user?.userId} ${key}`));
  });
  await bus.flush();
  return {
    /** The changes once this number of pushes has come. */
    async changesWith(count: number): Promise<string[][]> {
      await until(() => changes.flat().length >= count || undefined, {
        withinMs: 30_000,
        what: `${count} reactions are pushed`,
      });
      return changes;
    },
  };
}
