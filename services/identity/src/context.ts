import { newId } from '@parley/domain/ids';
import { createWire, type Wire } from '@parley/domain/wire';
import { limits } from '@parley/contract/limits';
import { isLogged } from '@parley/domain/events/logged';
import { openEpochBase, type EpochBase, type ServiceBaseOverrides } from '@parley/kit/service/base';
import { createOutbox, type Outbox } from '@parley/kit/durable/outbox';
import type { Stopper } from '@parley/kit/runtime/process';
import { createRebroadcast, type Rebroadcast } from '@parley/kit/bus/rebroadcast';
import type { Config } from './config.ts';
import { createEmit, type Emit } from './events/emit.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { openJournalStore } from './journal/settings.ts';
import { createKeyUsage, type KeyUsage } from './idempotency/usage.ts';
import { createFollowing, type Following } from './relation/following-lists.ts';
import { createVerificationKeys, type VerificationKeys } from './identity-token/verification-keys.ts';

/** Everything that is opened, waits or is random: the context of this service's calls. */
export type Context = EpochBase & {
  config: Config;
  wire: Wire;
  outbox: Outbox;
  emit: Emit;
  rebroadcast: Rebroadcast;
  journal: Journal;
  following: Following;
  verificationKeys: VerificationKeys;
  keyUsage: KeyUsage;
  /** A uuid of version 7. */
  newId(): string;
};

/** Parts that a test replaces. */
export type Overrides = ServiceBaseOverrides;

/** Opens everything the service needs and registers it with `stopper` for closing. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<Context> {
  const largestMessage = limits.eventBytes;
  const base = await openEpochBase({ name: 'identity', config, overrides, stopper, largestMessage });
  const { clock, db, bus, epochs } = base;
  const outbox = createOutbox({ ...base, isLogged });
  stopper.add('outbox', () => outbox.stop());
  const rebroadcast = createRebroadcast({ bus, clock });
  stopper.add('rebroadcast', () => rebroadcast.stop());
  const journal = await openJournal(config, base, stopper);
  const keyUsage = createKeyUsage(base);
  stopper.add('usage of idempotency keys', () => keyUsage.stop());
  return {
    ...base,
    config,
    wire: createWire(config.wireName),
    outbox,
    emit: createEmit({ outbox, clock, epochs, liveShards: config.liveShards }),
    rebroadcast,
    journal,
    following: createFollowing({ db, epochs }),
    verificationKeys: createVerificationKeys(),
    keyUsage,
    newId,
  };
}

async function openJournal(
  { journal: settings }: Config,
  base: EpochBase,
  stopper: Stopper,
): Promise<Journal> {
  const store = await openJournalStore(settings);
  if (!store) base.log.warn('no journal is kept: a restore will undo erasures and revocations');
  const journal = createJournal({ ...base, store, days: settings.days });
  stopper.add('journal', () => journal.stop());
  return journal;
}
