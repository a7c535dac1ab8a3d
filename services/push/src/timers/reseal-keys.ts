import { resealRows } from '@parley/kit/durable/work/reseal';
import { contextOf } from '../credentials/store.ts';
import type { Context } from '../context.ts';
import { listSealedOtherwise, replaceSealed, type SealedRow } from '../sql/sealed.ts';

const PAGE_SIZE = 100;

/** Seals keys with the present encryption key that another one sealed. */
export async function resealKeys({ db, log, sealer }: Context, signal: AbortSignal): Promise<void> {
  const { head } = sealer;
  await resealRows<SealedRow>(
    { log, signal },
    {
      what: 'keys of applications towards push services',
      list: (after) => listSealedOtherwise(db, { head, after, limit: PAGE_SIZE }),
      seal({ app_id: appId, provider, sealed }) {
        const context = provider === '' ? appId : contextOf(appId, provider);
        return sealer.seal(sealer.open(sealed, context), context);
      },
      replace: (row, sealed) => replaceSealed(db, row, sealed),
    },
  );
}
