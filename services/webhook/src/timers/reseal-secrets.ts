import { resealRows } from '@parley/kit/durable/work/reseal';
import type { Context } from '../context.ts';
import { listSealedOtherwise, replaceSecrets, type SealedSecrets } from '../sql/webhook-secrets.ts';
import { openSecrets, sealSecrets } from '../webhook/secrets.ts';

const PAGE_SIZE = 100;

/** Seals secrets with the present key that another one sealed. */
export async function resealSecrets({ db, log, sealer }: Context, signal: AbortSignal): Promise<void> {
  const { head } = sealer;
  await resealRows<SealedSecrets>(
    { log, signal },
    {
      what: 'secrets of webhooks',
      list: (after) => listSealedOtherwise(db, { head, after, limit: PAGE_SIZE }),
      seal: ({ id, secrets }) => sealSecrets(sealer, id, openSecrets(sealer, id, secrets)),
      replace: (webhook, sealed) => replaceSecrets(db, webhook, sealed),
    },
  );
}
