import type { Message } from '@parley/client';
import type { Step } from './scripted.ts';
import { ADA, GRACE, TIME } from './records.ts';

export type Reactions = Message['reactions'];

/** The reactions of the platform that is played, by the UUID of their message. */
export function createReactions(begin: (uuid: string) => Reactions) {
  const changed = new Map<string, Reactions>();
  const of = (uuid: string): Reactions => changed.get(uuid) ?? begin(uuid);
  return {
    of,
    /** Ada gives a reaction, or takes it back: the steps of the packet that says so. */
    change(uuid: string, key: string, isGiven: boolean): Step[] {
      const { [key]: known = { count: 0, recent: [] }, ...others } = of(uuid);
      const rest = known.recent.filter((id) => id !== ADA.id);
      const count = known.count - (known.own ? 1 : 0) + (isGiven ? 1 : 0);
      const recent = isGiven ? [ADA.id, ...rest] : rest;
      const property = `reactions.${key.replaceAll('.', '\\.')}`;
      const summary = { count, recent, ...(isGiven && { own: true as const }) };
      changed.set(uuid, count === 0 ? others : { ...others, [key]: summary });
      if (count === 0) return [{ operation: 'delete', property }];
      return [
        { operation: 'set', property: `${property}.count`, value: count },
        { operation: 'set', property: `${property}.recent`, value: recent },
        isGiven
          ? { operation: 'set', property: `${property}.own`, value: true }
          : { operation: 'delete', property: `${property}.own` },
      ];
    },
    /** Users who reacted, as far as the summaries name them. */
    list: (uuid: string) =>
      Object.entries(of(uuid)).flatMap(([key, { recent }]) =>
        recent.map((id, index) => ({
          id: `svc:///messages/${uuid}/reactions/${key}${index}`,
          key,
          user: id === ADA.id ? ADA : GRACE,
          created_at: TIME,
        })),
      ),
  };
}
