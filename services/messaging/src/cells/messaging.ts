import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { create, toBinary } from '@parley/codec';
import { ANSWER_BYTES, countFitting } from '@parley/kit/rpc/byte-budget';
import { problem } from '@parley/domain/problems';
import {
  AudienceSchema,
  type MessagingService,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { ReactionService } from '@parley/proto/parley/messaging/v1/reaction_service_pb';
import { groupByCell, groupKnown, inOrder } from './divide.ts';
import type { Dividing } from './mount.ts';

const NO_ANSWER = new Set([Code.Unavailable, Code.DeadlineExceeded]);

/** The problem of an item whose cell is not known now, or does not answer: items of other cells are answered. */
function unavailable() {
  return problem('service_unavailable');
}

/** Batches are divided by cell; all cells answer at once. */
export const MESSAGING_IN_CELLS: Dividing<typeof MessagingService> = {
  async sendMessages(request, { calls, cells, call }) {
    const groups = await groupKnown(cells, request.items);
    const answers = await Promise.all(
      groups.map(({ cell, items }) => resultsOf(async () => calls[cell]!({ ...request, items }, call))),
    );
    const results = inOrder(request.items.length, groups, answers);
    return {
      results: results.map((one) => one ?? { outcome: { case: 'problem' as const, value: unavailable() } }),
    };
  },
  async recordReceipts(request, { calls, cells, call }) {
    const groups = await groupKnown(cells, request.items);
    const answers = await Promise.all(
      groups.map(({ cell, items }) => resultsOf(async () => calls[cell]!({ ...request, items }, call))),
    );
    const results = inOrder(request.items.length, groups, answers);
    return { results: results.map((one) => one ?? { problem: unavailable() }) };
  },
  async getUnreadCounts(request, { calls, cells, call }) {
    const groups = await groupByCell(cells, request.items);
    const answers = await Promise.all(
      groups.map(async ({ cell, items }) => (await calls[cell]!({ ...request, items }, call)).results ?? []),
    );
    return { results: inOrder(request.items.length, groups, answers).map((one) => one ?? {}) };
  },
  async getAudiences(request, { calls, cells, call }) {
    const groups = await groupByCell(cells, request.items);
    const answers = await Promise.all(
      groups.map(
        async ({ cell, items }) => (await calls[cell]!({ ...request, items }, call)).audiences ?? [],
      ),
    );
    const audiences = inOrder(request.items.length, groups, answers);
    return { audiences: firstAnswered(audiences, request.byteBudget) };
  },
};

/** Batches are divided by cell, as those of receipts are. */
export const REACTIONS_IN_CELLS: Dividing<typeof ReactionService> = {
  async changeReactions(request, { calls, cells, call }) {
    const groups = await groupKnown(cells, request.items);
    const answers = await Promise.all(
      groups.map(({ cell, items }) => resultsOf(async () => calls[cell]!({ ...request, items }, call))),
    );
    const results = inOrder(request.items.length, groups, answers);
    return { results: results.map((one) => one ?? { problem: unavailable() }) };
  },
};

/** None when the cell does not answer in time. */
async function resultsOf<O>(call: () => Promise<{ results?: O[] }>): Promise<O[]> {
  try {
    return (await call()).results ?? [];
  } catch (error) {
    if (!NO_ANSWER.has(ConnectError.from(error).code)) throw error;
    return [];
  }
}

type AnsweredAudience = MessageInitShape<typeof AudienceSchema>;

/** The first audiences that all cells have answered, as many as there is room for. */
function firstAnswered(audiences: readonly (AnsweredAudience | undefined)[], byteBudget: number) {
  const end = audiences.indexOf(undefined);
  const answered = audiences
    .slice(0, end < 0 ? audiences.length : end)
    .map((one) => create(AudienceSchema, one));
  if (byteBudget < 1) return answered;
  const fitting = countFitting(
    answered,
    Math.min(byteBudget, ANSWER_BYTES),
    (one) => toBinary(AudienceSchema, one).length,
  );
  return answered.slice(0, fitting);
}
