import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import {
  BlockStep_Operation as Operation,
  type BlockState,
  type UpdateBlocksRequestSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { EraseUserResponse } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { ApplyIdentitiesRequestSchema } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import type { Clients } from '../clients.ts';

type Services = Pick<Clients, 'relations' | 'messagingCopies'> & { log: Logger };
type ErasureServices = Services & Pick<Clients, 'announcement'>;
type Owner = { appId: string; ownerUserId: string };
type Update = MessageInitShape<typeof UpdateBlocksRequestSchema> & Owner;

const PAGE_SIZE = 1000;

/**
 * Changes a user's blocks in identity, which owns them, and then in messaging, which applies them: messages sent after this resolves are
 * withheld or shown accordingly. After an error the caller may repeat the call, since messaging compares versions; otherwise identity's
 * event completes the change. Problems: those of identity, service_unavailable.
 */
export async function updateBlocks(ctx: Services, update: Update): Promise<void> {
  const { appId, ownerUserId, steps } = update;
  const { blocks } = await ctx.relations.updateBlocks(update);
  await unlessUnimplemented(ctx, async () => {
    await applyBlocks(ctx, { appId, ownerUserId }, blocks);
    if (steps?.some(({ operation }) => operation === Operation.SET))
      await applyAllBlocks(ctx, { appId, ownerUserId });
  });
}

/** Updates messaging's identity copies. Problems: service_unavailable. */
export async function applyIdentities(
  ctx: Services,
  request: MessageInitShape<typeof ApplyIdentitiesRequestSchema>,
): Promise<void> {
  await unlessUnimplemented(ctx, () => ctx.messagingCopies.applyIdentities(request));
}

/**
 * Marks in messaging and the announcements what an erasure covers: everything stored before this resolves, and nothing that the user does
 * after another login. After an error the caller may repeat the request; otherwise identity's event completes the erasure. Problems:
 * service_unavailable.
 */
export async function applyErasure(
  ctx: ErasureServices,
  { identity, blocksUntil }: EraseUserResponse,
): Promise<void> {
  if (!identity) return;
  await unlessUnimplemented(ctx, () => ctx.messagingCopies.applyErasure({ identity, blocksUntil }));
  await applyErasureOfAnnouncements(ctx, identity);
}

/** Takes the announcements of a user's earlier incarnations out of their list. Problems: service_unavailable. */
export async function applyErasureOfAnnouncements(
  ctx: ErasureServices,
  { appId, userId, incarnation: version }: Pick<Identity, 'appId' | 'userId' | 'incarnation'>,
): Promise<void> {
  await unlessUnimplemented(ctx, () => ctx.announcement.applyErasure({ appId, userId, version }));
}

/** A `set` also ends the blocks that it does not list, perhaps in an earlier attempt, so ended blocks are applied as well. */
async function applyAllBlocks(ctx: Services, owner: Owner): Promise<void> {
  for (let fromId = ''; ;) {
    const { blocks } = await ctx.relations.listBlockStates({ ...owner, fromId, pageSize: PAGE_SIZE });
    await applyBlocks(ctx, owner, blocks);
    const last = blocks.at(-1);
    if (!last || blocks.length < PAGE_SIZE) return;
    fromId = last.blockedUserId;
  }
}

async function applyBlocks(ctx: Services, owner: Owner, blocks: readonly BlockState[]): Promise<void> {
  for (let first = 0; first < blocks.length; first += PAGE_SIZE) {
    await ctx.messagingCopies.applyBlocks({ ...owner, blocks: blocks.slice(first, first + PAGE_SIZE) });
  }
}

/** During a rolling upgrade a service of the previous release lacks these calls; it learns of changes from events. */
async function unlessUnimplemented(
  { log }: Pick<Services, 'log'>,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== Code.Unimplemented) throw error;
    log.warn(
      { error },
      'a service of an older release does not implement this call; it will learn of the change by an event',
    );
  }
}
