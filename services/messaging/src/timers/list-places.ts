import { stepsApart } from '@parley/kit/durable/work/apart';
import { forgetGoneItems } from '@parley/kit/durable/gone-items';
import type { Context } from '../context.ts';
import { deletePageEndsBefore } from '../sql/conversation/page-end.ts';

const DAY_MS = 86_400_000;

/** Forgets where items of lists stood a day ago. docs/protocol/requests.md#lists */
export async function forgetPlaces({ db, clock }: Context): Promise<void> {
  await stepsApart([() => forgetGoneItems(db), () => deletePageEndsBefore(db, clock.now() - DAY_MS)]);
}
