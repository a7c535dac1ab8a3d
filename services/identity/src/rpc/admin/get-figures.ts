import { fail } from '@parley/domain/problems';
import { isTime } from '@parley/domain/time';
import { estimateDistinct } from '@parley/usage/distinct';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  GetFiguresRequest,
  GetFiguresResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import { getApp } from '../../admin/look-up.ts';
import type { Context } from '../../context.ts';
import { columnsOf, figuresOf } from '../../figures/columns.ts';
import { listActiveUsers, listFigures, type FigureSpan } from '../../sql/figure.ts';

const SECONDS_OF_MINUTE = 60;
const SECONDS_OF_DAY = 86_400;
const SECONDS_OF_HOUR = 3_600;
const MAX_STEPS = 1_600;

/** Steps in which nothing was counted are zeros. */
export async function getFigures(
  ctx: Context,
  req: GetFiguresRequest,
): RpcResponse<typeof GetFiguresResponseSchema> {
  const span = parseSpan(req, ctx.clock.now());
  const appId = req.appUuid === '' ? NIL_UUID : (await getApp(ctx, req.appUuid)).app_uuid;
  return { figures: await readSteps(ctx, { ...span, appId }) };
}

async function readSteps({ db }: Context, span: FigureSpan) {
  const [counted, active] = await Promise.all([listFigures(db, span), listActiveUsers(db, span)]);
  const stepAt = new Map(counted.map((step) => [step.start, step]));
  const usersAt = new Map(active.map(({ start, kept, largest }) => [start, estimateDistinct(kept, largest)]));
  const length = (span.to - span.from) / span.stepMs;
  return Array.from({ length }, (_, index) => {
    const start = span.from + index * span.stepMs;
    const columns = stepAt.get(start) ?? columnsOf(() => 0);
    return { ...figuresOf(columns), start, activeUsers: usersAt.get(start) ?? 0 };
  });
}

/** Whole steps. Problems: invalid_property. */
function parseSpan(req: GetFiguresRequest, now: number): Omit<FigureSpan, 'appId'> {
  const step = req.stepInSeconds ?? SECONDS_OF_MINUTE;
  if (!(step % SECONDS_OF_MINUTE === 0 && step > 0 && step <= SECONDS_OF_DAY))
    return refuse('step_in_seconds', `must be a multiple of 60 of at most ${SECONDS_OF_DAY}.`);
  const stepMs = step * 1000;
  const asked = parseTime(req.to ?? now, 'to');
  const to = Math.ceil(asked / stepMs) * stepMs;
  const first = req.from ?? asked - parseLengthMs(req, MAX_STEPS * stepMs);
  const from = Math.floor(parseTime(first, 'from') / stepMs) * stepMs;
  if (from >= to) return refuse('from', 'must be before to.');
  if ((to - from) / stepMs > MAX_STEPS)
    return refuse('from', `must be at most ${MAX_STEPS} steps before to.`);
  return { from, to, stepMs };
}

function parseLengthMs({ lengthInSeconds = SECONDS_OF_HOUR }: GetFiguresRequest, limitMs: number): number {
  const lengthMs = lengthInSeconds * 1000;
  if (Number.isInteger(lengthInSeconds) && lengthMs > 0 && lengthMs <= limitMs) return lengthMs;
  return refuse(
    'length_in_seconds',
    `must be a whole number, greater than 0, of at most ${MAX_STEPS} steps.`,
  );
}

function parseTime(time: number, property: string): number {
  if (isTime(time)) return time;
  return refuse(property, 'must be a time in milliseconds since 1970.');
}

function refuse(property: string, reason: string): never {
  return fail('invalid_property', { property, message: `${property} ${reason}` });
}
